package dev.coppice.mcp.message.list;

/** The answer to {@code completion/complete}. */
public record Completed(Completion completion) {}
