package dev.coppice.session;

/** Why a session exists, as seen from its tree. */
public enum SessionType {
    MAIN,
    SUBAGENT,
    WAVE,
    CONTINUATION,
    ISOLATED
}
