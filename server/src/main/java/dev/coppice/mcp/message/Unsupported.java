package dev.coppice.mcp.message;

import java.util.List;

/** An unsupported version, and the supported ones. */
public record Unsupported(String requested, List<String> supported) {}
