package dev.coppice.run;

/** How the parent learns of the end: it waits, it asks, or it is woken. */
public enum Mode {
    SYNC,
    ASYNC_POLL,
    ASYNC_CALLBACK
}
