package dev.coppice.mcp.message.list;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The content of a resource. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record ResourceText(String uri, String mimeType, String text) {}
