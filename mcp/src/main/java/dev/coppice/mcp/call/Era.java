package dev.coppice.mcp.call;

/** The era of the protocol that a request shows. */
public enum Era {
    /** Up to 2025-11-25: a client begins with {@code initialize}. */
    SESSIONS,
    /** 2026-07-28: each request is self-contained. */
    STATELESS
}
