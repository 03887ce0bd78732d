package dev.coppice.http;

import dev.coppice.mcp.McpFace;

import java.util.List;
import java.util.Map;

/** The server with the endpoint of the Model Context Protocol. */
final class WithMcp {
    private WithMcp() {}

    static Caller caller() {
        return caller(Map.of());
    }

    static Caller caller(Map<String, String> settings) {
        return new Caller(settings, List.of(McpFace::on));
    }
}
