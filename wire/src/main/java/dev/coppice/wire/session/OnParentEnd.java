package dev.coppice.wire.session;

/** What happens to a living session when its parent ends. */
public enum OnParentEnd {
    STOP,
    KEEP,
    ABANDON,
    ASK
}
