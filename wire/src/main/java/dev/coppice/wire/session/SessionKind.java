package dev.coppice.wire.session;

/** Why a session exists, as seen from its tree. */
public enum SessionKind {
    MAIN,
    SUBAGENT,
    WAVE,
    CONTINUATION,
    ISOLATED
}
