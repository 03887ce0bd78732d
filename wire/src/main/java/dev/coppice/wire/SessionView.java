package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/**
 * A session as callers see it. {@code status} speaks the original's words, {@code state} ours,
 * which tell timed out and lost from failed.
 */
public record SessionView(
        String sessionId,
        String sessionName,
        String status,
        String state,
        @Nullable String reason,
        String sessionType,
        @Nullable String parentSessionId,
        @Nullable String parentSessionName,
        String rootSessionId,
        int depth,
        String path,
        String createdAt,
        @Nullable String startedAt,
        @Nullable String lastResumedAt,
        @Nullable String endedAt,
        @Nullable Long durationMs,
        @Nullable String projectDir,
        @Nullable String agentName,
        @Nullable String sourceApp,
        @Nullable String executorSessionId,
        @Nullable String executorProfile,
        @Nullable String hostname,
        @Nullable JsonNode metadata,
        @Nullable LimitsView limits,
        @Nullable String onParentEnd,
        @Nullable String abandonedAt,
        @Nullable String frozenAt,
        @Nullable String detachedFrom) {}
