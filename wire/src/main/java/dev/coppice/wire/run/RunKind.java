package dev.coppice.wire.run;

/** Whether a run begins a session or continues one. */
public enum RunKind {
    START_SESSION,
    RESUME_SESSION
}
