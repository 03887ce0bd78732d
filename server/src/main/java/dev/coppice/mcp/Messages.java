package dev.coppice.mcp;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

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
}
