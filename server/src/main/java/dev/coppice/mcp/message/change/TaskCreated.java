package dev.coppice.mcp.message.change;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The answer to a request that goes on as a task. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskCreated(
        String taskId,
        String status,
        @Nullable String statusMessage,
        String createdAt,
        String lastUpdatedAt,
        long ttlMs,
        int pollIntervalMs) {
    public static TaskCreated of(TaskView view) {
        return new TaskCreated(
                view.taskId(),
                view.status(),
                view.statusMessage(),
                view.createdAt(),
                view.lastUpdatedAt(),
                view.ttlMs(),
                view.pollIntervalMs());
    }
}
