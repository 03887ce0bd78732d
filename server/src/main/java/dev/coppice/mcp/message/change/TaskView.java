package dev.coppice.mcp.message.change;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import dev.coppice.mcp.message.Fault;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.Map;

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
