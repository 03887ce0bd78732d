package dev.coppice.mcp.message.list;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;

/** The values that begin as the client typed. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record Completion(List<String> values, boolean hasMore) {}
