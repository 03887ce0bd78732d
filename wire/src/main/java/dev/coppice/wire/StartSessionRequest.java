package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** The body of POST /sessions. */
public record StartSessionRequest(
        @Nullable String sessionId,
        @Nullable String sessionName,
        @Nullable String sessionType,
        @Nullable String projectDir,
        @Nullable String agentName,
        @Nullable String sourceApp,
        @Nullable String parentSessionId,
        @Nullable String parentSessionName,
        @Nullable JsonNode metadata,
        @Nullable LimitsView limits,
        @Nullable String onParentEnd) {}
