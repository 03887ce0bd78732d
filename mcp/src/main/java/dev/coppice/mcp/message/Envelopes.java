package dev.coppice.mcp.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;
import java.util.Map;

/**
 * The envelopes of the protocol: requests, answers, failures, and what both sides say of
 * themselves.
 */
public final class Envelopes {
    private Envelopes() {}

    public record Answer(String jsonrpc, @Nullable JsonNode id, Object result) {
        public Answer(@Nullable JsonNode id, Object result) {
            this("2.0", id, result);
        }
    }

    /** The server's capabilities; only an era with sessions has logging. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Capabilities(
            Map<String, Boolean> tools,
            Map<String, Boolean> resources,
            Map<String, Boolean> prompts,
            Map<String, Boolean> completions,
            @Nullable Map<String, Boolean> logging,
            @Nullable Map<String, Map<String, Boolean>> extensions) {}

    /** The answer to {@code server/discover}. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    public record Discovered(
            List<String> supportedVersions, Capabilities capabilities, String instructions) {}

    /** A failure of the protocol itself. */
    public record Failure(String jsonrpc, @Nullable JsonNode id, Fault error) {
        public Failure(@Nullable JsonNode id, Fault error) {
            this("2.0", id, error);
        }
    }

    /** The cause of a failure. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Fault(int code, String message, @Nullable Object data) {}

    /** The answer to {@code initialize}. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    public record Initialized(
            String protocolVersion,
            Capabilities capabilities,
            Server serverInfo,
            String instructions) {}

    /** Metadata of every result in the stateless era. */
    public record Meta(@JsonProperty(Meta.PREFIX + "serverInfo") Server serverInfo) {
        /** The prefix of the protocol's own names. */
        public static final String PREFIX = "io.modelcontextprotocol/";
    }

    /** The capabilities that a request requires of its client. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    public record MissingCapability(Map<String, Object> requiredCapabilities) {}

    /** The metadata of RFC 9728: how a client authenticates. */
    public record ProtectedResource(
            String resource,
            String resourceName,
            List<String> bearerMethodsSupported,
            List<String> scopesSupported) {}

    /** A request of the server to a client that has a session. */
    public record Request(String jsonrpc, String id, String method, JsonNode params) {
        public Request(String id, String method, JsonNode params) {
            this("2.0", id, method, params);
        }
    }

    /** The scopes that a token lacks. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    public record ScopeNeeded(List<String> requiredScopes) {}

    public record Server(String name, String title, String version) {}

    /** An unsupported version, and the supported ones. */
    public record Unsupported(String requested, List<String> supported) {}

    /** A result with what the later era adds to it. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Whole(
            @JsonUnwrapped Object result,
            @Nullable Long ttlMs,
            @Nullable String cacheScope,
            @Nullable String resultType,
            @JsonProperty("_meta") @Nullable Meta meta) {}
}
