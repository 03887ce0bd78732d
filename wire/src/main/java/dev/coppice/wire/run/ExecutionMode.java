package dev.coppice.wire.run;

/** How the parent learns of the end: it waits, it asks, or it is woken. */
public enum ExecutionMode {
    SYNC,
    ASYNC_POLL,
    ASYNC_CALLBACK
}
