package dev.coppice.mcp.message.list;

import java.util.List;

/** The answer to {@code prompts/get}. */
public record PromptText(String description, List<Said> messages) {}
