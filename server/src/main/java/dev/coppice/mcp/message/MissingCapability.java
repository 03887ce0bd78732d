package dev.coppice.mcp.message;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.Map;

/** The capabilities that a request requires of its client. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record MissingCapability(Map<String, Object> requiredCapabilities) {}
