package dev.coppice.session;

/** The role of a session in its tree. */
public enum SessionType {
    MAIN,
    SUBAGENT,
    WAVE,
    CONTINUATION,
    ISOLATED
}
