package dev.coppice.mcp.message;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;

/** The scopes that a token lacks. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record ScopeNeeded(List<String> requiredScopes) {}
