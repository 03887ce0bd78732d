package dev.coppice.mcp.message.list;

import java.util.List;

/** The answer to {@code tools/list}. */
public record ToolList(List<?> tools) {}
