package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** A run as callers see it; {@code status} in the original's words, {@code state} in ours. */
public record RunView(
        String runId,
        String sessionId,
        String sessionName,
        String type,
        @Nullable String agentName,
        JsonNode parameters,
        @Nullable String projectDir,
        @Nullable String parentSessionId,
        @Nullable String parentSessionName,
        String executionMode,
        DemandsView demands,
        String status,
        String state,
        @Nullable String runnerId,
        @Nullable String error,
        @Nullable String errorKind,
        String createdAt,
        @Nullable String claimedAt,
        @Nullable String startedAt,
        @Nullable String completedAt,
        String timeoutAt,
        @Nullable String resultText,
        @Nullable JsonNode resultData) {}
