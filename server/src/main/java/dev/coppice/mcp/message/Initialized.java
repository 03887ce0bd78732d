package dev.coppice.mcp.message;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The answer to {@code initialize}. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record Initialized(
        String protocolVersion,
        Capabilities capabilities,
        Server serverInfo,
        String instructions) {}
