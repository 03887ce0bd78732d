package dev.coppice.originals.runner;

import dev.coppice.wire.fleet.RunReport;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** A report about a run; the fields in use depend on the kind of report. */
record ReportRequest(
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
    record Workplace(String directory, boolean made, String outputs) {
        RunReport.Workplace told() {
            return new RunReport.Workplace(directory, made, outputs);
        }
    }
}
