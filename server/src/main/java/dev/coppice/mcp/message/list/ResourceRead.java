package dev.coppice.mcp.message.list;

import java.util.List;

/** The answer to {@code resources/read}. */
public record ResourceRead(List<ResourceText> contents) {}
