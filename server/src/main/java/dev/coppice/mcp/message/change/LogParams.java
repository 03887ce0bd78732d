package dev.coppice.mcp.message.change;

/** A log message. */
public record LogParams(String level, String logger, Object data) {}
