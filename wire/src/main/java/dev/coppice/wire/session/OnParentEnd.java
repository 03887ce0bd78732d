package dev.coppice.wire.session;

/** The policy for a live session when its parent ends. */
public enum OnParentEnd {
    STOP,
    KEEP,
    ABANDON,
    ASK
}
