package dev.coppice.runner;

import dev.coppice.runner.process.Mark;
import dev.coppice.wire.fleet.ClaimedRun;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The environment of an agent. It inherits the runner's, except Coppice's own variables: an agent
 * must not see the runner's token or database address.
 */
final class AgentEnvironment {
    /** Variables that a runner must not pass on if it was itself started by an agent. */
    private static final Set<String> OURS =
            Set.of(
                    "AGENT_SESSION_NAME",
                    "AGENT_SESSION_ID",
                    "AGENT_PARENT_SESSION_NAME",
                    "AGENT_SYSTEM_PROMPT");

    private final RunnerSettings settings;
    private final String runnerId;

    AgentEnvironment(RunnerSettings settings, String runnerId) {
        this.settings = settings;
        this.runnerId = runnerId;
    }

    /** Returns the runner's environment with the blueprint's additions and the agent's identity. */
    Map<String, String> of(ClaimedRun run, Map<String, String> added) {
        var environment = new HashMap<>(System.getenv());
        strip(environment);
        environment.putAll(added);
        identify(environment, run);
        return environment;
    }

    private void strip(Map<String, String> environment) {
        // The launcher sets a locale for the runner only: restore the original.
        var locale = environment.get("COPPICE_AGENT_LC_ALL");
        if (locale != null && locale.isEmpty()) environment.remove("LC_ALL");
        else if (locale != null) environment.put("LC_ALL", locale);
        environment
                .keySet()
                .removeIf(name -> name.startsWith("COPPICE_") && !name.equals("COPPICE_JAVA_HOME"));
        environment.keySet().removeIf(OURS::contains);
        var commands = settings.commands();
        if (commands != null)
            environment.merge("PATH", commands.toString(), AgentEnvironment::before);
    }

    /** Sets the agent's identity last, so that a blueprint's environment cannot override it. */
    private void identify(Map<String, String> environment, ClaimedRun run) {
        environment.put("AGENT_SESSION_NAME", run.sessionName());
        environment.put("AGENT_SESSION_ID", run.sessionId());
        environment.remove("AGENT_PARENT_SESSION_NAME");
        if (run.parentSessionName() != null) {
            environment.put("AGENT_PARENT_SESSION_NAME", run.parentSessionName());
        }
        environment.put("COPPICE_URL", settings.coordinator().toString());
        environment.put("COPPICE_TOKEN", run.agentToken());
        environment.put(Mark.RUN, run.runId());
        environment.put(Mark.RUNNER, runnerId);
    }

    private static String before(@Nullable String path, String commands) {
        return path == null || path.isEmpty() ? commands : commands + File.pathSeparator + path;
    }
}
