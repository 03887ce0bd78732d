package dev.coppice.word;

/** A run starts a new session or resumes an existing one. */
public enum RunType {
    START_SESSION,
    RESUME_SESSION
}
