package dev.coppice.mcp.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import dev.coppice.mcp.message.Envelopes.Fault;
import dev.coppice.mcp.message.Envelopes.Meta;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.List;
import java.util.Map;

/** The messages that the server sends unasked: changes, progress, tasks and questions. */
public final class Changes {
    private Changes() {}

    /** The first message of a subscription. */
    public record Acknowledged(
            Wanted notifications, @JsonProperty("_meta") SubscriptionMeta meta) {}

    /** A change without further data. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Changed(@JsonProperty("_meta") @Nullable SubscriptionMeta meta) {}

    /** The last message of a subscription that the server ends. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    public record Closed(String resultType, @JsonProperty("_meta") SubscriptionMeta meta) {}

    /** A question to the client, as part of a result. */
    public record InputRequest(String method, JsonNode params) {}

    /** A result that asks for input: the client repeats the request with it. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    public record InputRequired(Map<String, InputRequest> inputRequests, String requestState) {}

    public record LogParams(String level, String logger, Object data) {}

    /** A message that expects no answer. */
    public record Notification(String jsonrpc, String method, Object params) {
        public Notification(String method, Object params) {
            this("2.0", method, params);
        }
    }

    /** The progress of a request. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    public record ProgressParams(int progress, int total, String message, JsonNode progressToken) {}

    /** The subscription that a message belongs to. */
    public record SubscriptionMeta(@JsonProperty(Meta.PREFIX + "subscriptionId") JsonNode id) {}

    /** The answer to a request that continues as a task. */
    public record TaskCreated(@JsonUnwrapped TaskView task) {}

    /** A task and, once it is over, its result. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record TaskView(
            String taskId,
            String status,
            @Nullable String statusMessage,
            String createdAt,
            String lastUpdatedAt,
            long ttlMs,
            int pollIntervalMs,
            @Nullable Map<String, InputRequest> inputRequests,
            @Nullable Object result,
            @Nullable Fault error,
            @JsonProperty("_meta") @Nullable SubscriptionMeta meta) {
        public TaskView with(SubscriptionMeta subscription) {
            return new TaskView(
                    taskId,
                    status,
                    statusMessage,
                    createdAt,
                    lastUpdatedAt,
                    ttlMs,
                    pollIntervalMs,
                    inputRequests,
                    result,
                    error,
                    subscription);
        }
    }

    /** The resource that has changed. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Updated(String uri, @JsonProperty("_meta") @Nullable SubscriptionMeta meta) {}

    /** The notifications that a subscription delivers. */
    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Wanted(
            @Nullable Boolean toolsListChanged,
            @Nullable Boolean promptsListChanged,
            @Nullable List<String> resourceSubscriptions,
            @Nullable List<String> taskIds) {}
}
