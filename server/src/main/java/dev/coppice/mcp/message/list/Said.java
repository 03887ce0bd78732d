package dev.coppice.mcp.message.list;

/** A message of a conversation. */
public record Said(String role, Content content) {}
