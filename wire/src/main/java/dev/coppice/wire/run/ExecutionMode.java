package dev.coppice.wire.run;

/** The way a parent learns of the end: it waits, polls, or is woken by a callback. */
public enum ExecutionMode {
    SYNC,
    ASYNC_POLL,
    ASYNC_CALLBACK
}
