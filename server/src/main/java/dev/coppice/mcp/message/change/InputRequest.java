package dev.coppice.mcp.message.change;

import tools.jackson.databind.JsonNode;

/** A question to the client, as part of a result. */
public record InputRequest(String method, JsonNode params) {}
