package dev.coppice.run;

/** How the parent learns of the run's end: it waits, it polls, or a callback wakes it. */
public enum Mode {
    SYNC,
    ASYNC_POLL,
    ASYNC_CALLBACK
}
