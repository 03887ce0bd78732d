package dev.coppice.wire.fleet;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** What a runner reports of a run; which fields count depends on the report. */
public record ReportRequest(
        @Nullable String runnerId,
        @Nullable Long fence,
        @Nullable String status,
        @Nullable String sessionStatus,
        @Nullable String error,
        @Nullable String signal,
        @Nullable String resultText,
        @Nullable JsonNode resultData,
        @Nullable Integer attempt,
        @Nullable Workplace workplace,
        @Nullable Long outputBytes) {

    /** Where the agent works, whether the runner has made that, and where the output lies. */
    public record Workplace(String directory, boolean made, String outputs) {}
}
