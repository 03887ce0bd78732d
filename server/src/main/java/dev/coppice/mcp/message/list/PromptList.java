package dev.coppice.mcp.message.list;

import java.util.List;

/** The answer to {@code prompts/list}. */
public record PromptList(List<?> prompts) {}
