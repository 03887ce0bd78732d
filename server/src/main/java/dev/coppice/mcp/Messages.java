package dev.coppice.mcp;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;
import java.util.Map;

/** The protocol's messages. Their names are in camel case. */
final class Messages {
    private Messages() {}

    /** An answer. */
    record Answer(String jsonrpc, @Nullable JsonNode id, Object result) {
        Answer(@Nullable JsonNode id, Object result) {
            this("2.0", id, result);
        }
    }

    /** A failure of the protocol itself. */
    record Failure(String jsonrpc, @Nullable JsonNode id, Fault error) {
        Failure(@Nullable JsonNode id, Fault error) {
            this("2.0", id, error);
        }
    }

    /** The cause of a failure. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Fault(int code, String message, @Nullable Object data) {}

    /** An unsupported version, and the supported ones. */
    record Unsupported(String requested, List<String> supported) {}

    /** A message that expects no answer. */
    record Notification(String jsonrpc, String method, Object params) {
        Notification(String method, Object params) {
            this("2.0", method, params);
        }
    }

    /** The progress of a request. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record ProgressParams(int progress, int total, String message, JsonNode progressToken) {}

    /** The server's capabilities, without notifications of changes. */
    record Capabilities(
            Map<String, String> tools,
            Map<String, String> resources,
            Map<String, String> prompts,
            Map<String, String> completions) {
        static final Capabilities ALL = new Capabilities(Map.of(), Map.of(), Map.of(), Map.of());
    }

    /** The server. */
    record Server(String name, String title, String version) {}

    /** The answer to {@code initialize}. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record Initialized(
            String protocolVersion,
            Capabilities capabilities,
            Server serverInfo,
            String instructions) {}

    /** Metadata of every result in the stateless era. */
    record Meta(@JsonProperty(Call.META + "serverInfo") Server serverInfo) {}

    /** The answer to {@code server/discover}. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record Discovered(
            List<String> supportedVersions,
            Capabilities capabilities,
            String instructions,
            long ttlMs,
            String cacheScope,
            String resultType,
            @JsonProperty("_meta") Meta meta) {}

    /** The answer to {@code tools/list}. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ToolList(
            List<ToolView> tools,
            @Nullable Long ttlMs,
            @Nullable String cacheScope,
            @Nullable String resultType,
            @JsonProperty("_meta") @Nullable Meta meta) {}

    /** A tool. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ToolView(
            String name,
            String title,
            String description,
            Hints annotations,
            @Nullable JsonNode outputSchema,
            JsonNode inputSchema) {}

    /** The effects of a tool. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Hints(
            @Nullable Boolean readOnlyHint,
            @Nullable Boolean destructiveHint,
            @Nullable Boolean idempotentHint) {}

    /** The answer to {@code tools/call}. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ToolResult(
            List<Content> content,
            boolean isError,
            @Nullable Object structuredContent,
            @Nullable String resultType,
            @JsonProperty("_meta") @Nullable Meta meta) {}

    /** Text content. */
    record Content(String type, String text) {
        Content(String text) {
            this("text", text);
        }
    }

    /** A result with what the later era adds to it. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Whole(
            @JsonUnwrapped Object result,
            @Nullable Long ttlMs,
            @Nullable String cacheScope,
            @Nullable String resultType,
            @JsonProperty("_meta") @Nullable Meta meta) {}

    /** The answer to {@code prompts/list}. */
    record PromptList(List<PromptView> prompts) {}

    /** A prompt. */
    record PromptView(
            String name, String title, String description, List<PromptArgument> arguments) {}

    /** An argument of a prompt. */
    record PromptArgument(String name, String description, boolean required) {}

    /** The answer to {@code prompts/get}. */
    record PromptText(String description, List<Said> messages) {}

    /** A message of a conversation. */
    record Said(String role, Content content) {}

    /** The answer to {@code resources/templates/list}. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record ResourceForms(@JsonProperty("resourceTemplates") List<ResourceForm> all) {}

    /** The form of the addresses of some resources. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record ResourceForm(
            @JsonProperty("uriTemplate") String uri,
            String name,
            String description,
            String mimeType) {}

    /** The answer to {@code resources/list}. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ResourceList(List<ResourceView> resources, @Nullable String nextCursor) {}

    /** A resource. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record ResourceView(String uri, String name, String mimeType) {}

    /** The answer to {@code resources/read}. */
    record ResourceRead(List<ResourceText> contents) {}

    /** The content of a resource. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record ResourceText(String uri, String mimeType, String text) {}

    /** The answer to {@code completion/complete}. */
    record Completed(Completion completion) {}

    /** The values that begin as the client typed. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record Completion(List<String> values, boolean hasMore) {}
}
