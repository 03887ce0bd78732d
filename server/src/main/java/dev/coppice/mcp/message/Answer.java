package dev.coppice.mcp.message;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** An answer. */
public record Answer(String jsonrpc, @Nullable JsonNode id, Object result) {
    public Answer(@Nullable JsonNode id, Object result) {
        this("2.0", id, result);
    }
}
