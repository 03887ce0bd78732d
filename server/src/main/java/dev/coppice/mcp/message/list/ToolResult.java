package dev.coppice.mcp.message.list;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;

/** The answer to {@code tools/call}. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ToolResult(
        List<Content> content, boolean isError, @Nullable Object structuredContent) {
    /** The length of its text, which repeats the structured content. */
    public int chars() {
        return content.stream().mapToInt(part -> part.text().length()).sum();
    }
}
