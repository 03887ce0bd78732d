package dev.coppice.word;

/** The role of a session in its tree. */
public enum SessionType {
    MAIN,
    SUBAGENT,
    WAVE,
    CONTINUATION,
    ISOLATED
}
