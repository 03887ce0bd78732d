package dev.coppice.word;

/** The causes of alerts. */
public enum AlertKind {
    FAILED,
    TIMED_OUT,
    LOST,
    /** The session waits for an answer of a person. */
    ASKS,
    /** The session is at work and says nothing, and nothing below it is alive. */
    SILENT,
    OVER_BUDGET,
    /** An account met its limit. */
    QUOTA_MET
}
