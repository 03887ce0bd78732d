package dev.coppice.wire.fleet;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A run as it is handed to a runner, with all that starting it takes. */
public record ClaimedRun(
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
        String status,
        JsonNode scope,
        JsonNode resolvedAgentBlueprint,
        long fence,
        int leaseSeconds,
        String agentToken,
        @Nullable Share share) {

    /** The output that is left to the run's tree, and what the run's processes may use together. */
    public record Share(
            @Nullable Long outputBytes, @Nullable Long processes, @Nullable Long memoryBytes) {
        public static final Share ENDLESS = new Share(null, null, null);
    }

    /** The same where the coordinator says nothing of it. */
    public Share orEndless() {
        return share == null ? Share.ENDLESS : share;
    }

    /** The same run, in which the session goes on with this. */
    public ClaimedRun resumedWith(String prompt) {
        var said = (ObjectNode) parameters.deepCopy();
        return new ClaimedRun(
                runId,
                sessionId,
                sessionName,
                "resume_session",
                agentName,
                said.put("prompt", prompt),
                projectDir,
                parentSessionId,
                parentSessionName,
                executionMode,
                status,
                scope,
                resolvedAgentBlueprint,
                fence,
                leaseSeconds,
                agentToken,
                share);
    }
}
