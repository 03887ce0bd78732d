package dev.coppice.mcp.message.list;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A tool. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ToolView(
        String name,
        String title,
        String description,
        Hints annotations,
        @Nullable JsonNode outputSchema,
        JsonNode inputSchema) {}
