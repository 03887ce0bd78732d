package dev.coppice.mcp.message.list;

/** An argument of a prompt. */
public record PromptArgument(String name, String description, boolean required) {}
