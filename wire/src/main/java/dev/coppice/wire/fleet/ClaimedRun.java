package dev.coppice.wire.fleet;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A run as a runner receives it, with everything needed to start it. */
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

    /** Limits: the output that the tree has left, and the totals for the run's processes. */
    public record Share(
            @Nullable Long outputBytes, @Nullable Long processes, @Nullable Long memoryBytes) {
        public static final Share ENDLESS = new Share(null, null, null);
    }

    /** The share; without limits if the coordinator sent none. */
    public Share orEndless() {
        return share == null ? Share.ENDLESS : share;
    }

    /** True if the session works in a work tree of its own of the project's repository. */
    public boolean hasOwnTree() {
        return projectDir != null && resolvedAgentBlueprint.path("worktree").asBoolean(false);
    }

    /** A copy of this run that resumes its session with a prompt. */
    public ClaimedRun resumedWith(String prompt) {
        var copy = (ObjectNode) parameters.deepCopy();
        return with("resume_session", copy.put("prompt", prompt), resolvedAgentBlueprint);
    }

    /** A copy of this run with another blueprint. */
    public ClaimedRun with(JsonNode blueprint) {
        return with(type, parameters, blueprint);
    }

    private ClaimedRun with(String otherType, JsonNode otherParameters, JsonNode blueprint) {
        return new ClaimedRun(
                runId,
                sessionId,
                sessionName,
                otherType,
                agentName,
                otherParameters,
                projectDir,
                parentSessionId,
                parentSessionName,
                executionMode,
                status,
                scope,
                blueprint,
                fence,
                leaseSeconds,
                agentToken,
                share);
    }

    /**
     * Marks a placeholder that the runner resolves. The mark has the id of the run, which the
     * author of parameters cannot know: a value that imitates a placeholder is not resolved.
     */
    public static String marked(String placeholder, String runId) {
        return "${" + placeholder + "@" + runId + "}";
    }
}
