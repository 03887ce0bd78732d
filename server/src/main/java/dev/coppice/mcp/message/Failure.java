package dev.coppice.mcp.message;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** A failure of the protocol itself. */
public record Failure(String jsonrpc, @Nullable JsonNode id, Fault error) {
    public Failure(@Nullable JsonNode id, Fault error) {
        this("2.0", id, error);
    }
}
