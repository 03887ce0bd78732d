package dev.coppice.wire.run;

/** How a parent learns that its child has ended: it waits, polls, or is woken by a callback. */
public enum ExecutionMode {
    SYNC,
    ASYNC_POLL,
    ASYNC_CALLBACK
}
