package dev.coppice.mcp.message.list;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A resource. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record ResourceView(String uri, String name, String mimeType) {}
