package dev.coppice.access;

/** The kind of caller that a token identifies. */
public enum Role {
    ADMIN,
    OPERATOR,
    VIEWER,
    RUNNER,
    /** Sends events and usage, and reads nothing. */
    INGEST,
    AGENT
}
