package dev.coppice.mcp.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;

/** The answers to lists and calls: tools, prompts, resources and their contents. */
public final class Lists {
    private Lists() {}

    /** The answer to {@code completion/complete}. */
    public record Completed(Completion completion) {}

    /** The values that begin as the client typed. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    public record Completion(List<String> values, boolean hasMore) {}

    /** Text content. */
    public record Content(String type, String text) {
        public Content(String text) {
            this("text", text);
        }
    }

    /** The effects of a tool. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Hints(
            @Nullable Boolean readOnlyHint,
            @Nullable Boolean destructiveHint,
            @Nullable Boolean idempotentHint) {}

    /** An argument of a prompt. */
    public record PromptArgument(String name, String description, boolean required) {}

    /** The answer to {@code prompts/list}. */
    public record PromptList(List<?> prompts) {}

    /** The answer to {@code prompts/get}. */
    public record PromptText(String description, List<Said> messages) {}

    public record PromptView(
            String name, String title, String description, List<PromptArgument> arguments) {}

    /** The form of the addresses of some resources. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    public record ResourceForm(
            @JsonProperty("uriTemplate") String uri,
            String name,
            String description,
            String mimeType) {}

    /** The answer to {@code resources/templates/list}. */
    public record ResourceForms(@JsonProperty("resourceTemplates") List<?> all) {}

    /** The answer to {@code resources/list}. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ResourceList(List<?> resources, @Nullable String nextCursor) {}

    /** The answer to {@code resources/read}. */
    public record ResourceRead(List<ResourceText> contents) {}

    /** The content of a resource. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    public record ResourceText(String uri, String mimeType, String text) {}

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    public record ResourceView(String uri, String name, String mimeType) {}

    /** A message of a conversation. */
    public record Said(String role, Content content) {}

    /** The answer to {@code tools/list}. */
    public record ToolList(List<?> tools) {}

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

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record ToolView(
            String name,
            String title,
            String description,
            Hints annotations,
            @Nullable JsonNode outputSchema,
            JsonNode inputSchema) {}
}
