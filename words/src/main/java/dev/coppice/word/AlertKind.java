package dev.coppice.word;

/** The causes of alerts. */
public enum AlertKind {
    FAILED,
    TIMED_OUT,
    LOST,
    /** The session waits for an answer of a person. */
    ASKS,
    /** The session runs and reports nothing, and has no live descendants. */
    SILENT,
    OVER_BUDGET,
    /** A run met the limit of its account. */
    QUOTA_MET
}
