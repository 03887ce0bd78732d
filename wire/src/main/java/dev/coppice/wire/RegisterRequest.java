package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/**
 * The body of POST /runner/register. A runner that sends {@code protocol} is one of ours: it knows
 * fences, confirms claims, and says what it holds.
 */
public record RegisterRequest(
        @Nullable String hostname,
        @Nullable String projectDir,
        @Nullable String executorProfile,
        @Nullable JsonNode executor,
        @Nullable List<String> tags,
        boolean requireMatchingTags,
        @Nullable JsonNode agents,
        @Nullable String protocol,
        @Nullable Integer capacity,
        @Nullable List<String> holds) {
    public static final String PROTOCOL = "coppice/1";
}
