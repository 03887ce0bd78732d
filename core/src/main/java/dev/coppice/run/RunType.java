package dev.coppice.run;

/** Whether a run begins a session or goes on with one. */
public enum RunType {
    START_SESSION,
    RESUME_SESSION
}
