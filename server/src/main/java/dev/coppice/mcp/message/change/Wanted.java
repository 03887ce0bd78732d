package dev.coppice.mcp.message.change;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;

/** The notifications that a subscription delivers. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Wanted(
        @Nullable Boolean toolsListChanged,
        @Nullable Boolean promptsListChanged,
        @Nullable List<String> resourceSubscriptions,
        @Nullable List<String> taskIds) {}
