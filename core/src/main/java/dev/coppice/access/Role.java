package dev.coppice.access;

/** The kind of caller that a token identifies. */
public enum Role {
    ADMIN,
    OPERATOR,
    VIEWER,
    RUNNER,
    /** Reports events, and reads nothing. */
    INGEST,
    AGENT
}
