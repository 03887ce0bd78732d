package dev.coppice.wire.session;

/** The role of a session in its tree. */
public enum SessionKind {
    MAIN,
    SUBAGENT,
    WAVE,
    CONTINUATION,
    ISOLATED
}
