package dev.coppice.word;

/** The way a parent learns of a run's end: it waits, it polls, or a callback wakes it. */
public enum ExecutionMode {
    SYNC,
    ASYNC_POLL,
    ASYNC_CALLBACK
}
