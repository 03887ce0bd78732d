package dev.coppice.mcp.message;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;

/** The answer to {@code server/discover}. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record Discovered(
        List<String> supportedVersions, Capabilities capabilities, String instructions) {}
