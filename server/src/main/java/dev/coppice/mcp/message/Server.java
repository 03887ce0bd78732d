package dev.coppice.mcp.message;

/** The server. */
public record Server(String name, String title, String version) {}
