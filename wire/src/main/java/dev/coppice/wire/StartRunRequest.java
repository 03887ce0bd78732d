package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** The body of POST /runs. {@code prompt} is a short way to say parameters: {prompt}. */
public record StartRunRequest(
        @Nullable String type,
        @Nullable String prompt,
        @Nullable JsonNode parameters,
        @Nullable String sessionId,
        @Nullable String sessionName,
        @Nullable String sessionType,
        @Nullable String agentName,
        @Nullable String projectDir,
        @Nullable String sourceApp,
        @Nullable String parentSessionId,
        @Nullable String parentSessionName,
        @Nullable String executionMode,
        @Nullable DemandsView additionalDemands,
        @Nullable JsonNode scope,
        @Nullable JsonNode metadata,
        @Nullable LimitsView limits,
        @Nullable String onParentEnd,
        @Nullable BudgetRequest budget) {}
