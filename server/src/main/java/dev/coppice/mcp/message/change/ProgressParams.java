package dev.coppice.mcp.message.change;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The progress of a request. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record ProgressParams(int progress, int total, String message, JsonNode progressToken) {}
