package dev.coppice.access;

/** What kind of caller a token speaks for. */
public enum Role {
    ADMIN,
    OPERATOR,
    VIEWER,
    RUNNER,
    AGENT
}
