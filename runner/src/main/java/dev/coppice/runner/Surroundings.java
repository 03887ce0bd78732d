package dev.coppice.runner;

import dev.coppice.wire.ClaimedRun;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.util.Map;

/**
 * What an agent finds in its environment. It inherits the runner's, but nothing of Coppice's own: a
 * token or a database address of the runner is not the agent's to know.
 */
final class Surroundings {
    private final RunnerSettings settings;
    private final String runnerId;

    Surroundings(RunnerSettings settings, String runnerId) {
        this.settings = settings;
        this.runnerId = runnerId;
    }

    void into(Map<String, String> environment, ClaimedRun run) {
        environment
                .keySet()
                .removeIf(name -> name.startsWith("COPPICE_") && !name.equals("COPPICE_JAVA_HOME"));
        environment.keySet().removeIf(name -> name.startsWith("AGENT_SESSION_"));
        var commands = settings.commands();
        if (commands != null) environment.merge("PATH", commands.toString(), Surroundings::before);
        if (run.parentSessionName() != null) {
            environment.put("AGENT_PARENT_SESSION_NAME", run.parentSessionName());
        }
    }

    /** Who the agent is. A blueprint's own environment cannot make it someone else. */
    void identify(Map<String, String> environment, ClaimedRun run) {
        environment.put("AGENT_SESSION_NAME", run.sessionName());
        environment.put("AGENT_SESSION_ID", run.sessionId());
        environment.put("COPPICE_URL", settings.coordinator().toString());
        environment.put("COPPICE_TOKEN", run.agentToken());
        environment.put(Marker.NAME, run.runId());
        environment.put(Marker.RUNNER, runnerId);
    }

    private static String before(@Nullable String path, String commands) {
        return path == null || path.isEmpty() ? commands : commands + File.pathSeparator + path;
    }
}
