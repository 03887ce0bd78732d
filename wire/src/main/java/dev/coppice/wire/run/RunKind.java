package dev.coppice.wire.run;

/** The kinds of runs: a run starts a session or resumes one. */
public enum RunKind {
    START_SESSION,
    RESUME_SESSION
}
