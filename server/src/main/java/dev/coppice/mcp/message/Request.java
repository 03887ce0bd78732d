package dev.coppice.mcp.message;

import tools.jackson.databind.JsonNode;

/** A request of the server to a client that has a session. */
public record Request(String jsonrpc, String id, String method, JsonNode params) {
    public Request(String id, String method, JsonNode params) {
        this("2.0", id, method, params);
    }
}
