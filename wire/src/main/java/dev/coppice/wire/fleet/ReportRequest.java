package dev.coppice.wire.fleet;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** A report about a run; the fields in use depend on the kind of report. */
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

    /** The directory of the agent, whether the runner created it, and the place of its output. */
    public record Workplace(String directory, boolean made, String outputs) {}
}
