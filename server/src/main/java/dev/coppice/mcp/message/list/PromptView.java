package dev.coppice.mcp.message.list;

import java.util.List;

/** A prompt. */
public record PromptView(
        String name, String title, String description, List<PromptArgument> arguments) {}
