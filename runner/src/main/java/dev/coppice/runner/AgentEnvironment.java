package dev.coppice.runner;

import dev.coppice.runner.process.Mark;
import dev.coppice.wire.fleet.ClaimedRun;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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

    /** Variables without which programs do not work. */
    private static final List<String> NEEDED =
            List.of(
                    "PATH",
                    "HOME",
                    "USER",
                    "LOGNAME",
                    "SHELL",
                    "LANG",
                    "LC_*",
                    "TZ",
                    "TERM",
                    "TMPDIR",
                    "COPPICE_JAVA_HOME");

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
        allow(environment, run.resolvedAgentBlueprint().get("env_allow"));
        environment.putAll(added);
        identify(environment, run);
        return environment;
    }

    private void strip(Map<String, String> environment) {
        // The launcher sets a locale for the runner only: restore the caller's.
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

    /** Removes variables that are neither allowed nor needed; without a list, none is removed. */
    private static void allow(Map<String, String> environment, @Nullable JsonNode allowed) {
        if (allowed == null || !allowed.isArray()) return;
        var patterns = new ArrayList<>(NEEDED);
        for (var name : allowed) patterns.add(name.asString());
        environment.keySet().removeIf(name -> patterns.stream().noneMatch(p -> fits(name, p)));
    }

    private static boolean fits(String name, String pattern) {
        return pattern.endsWith("*")
                ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                : name.equals(pattern);
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
        var certificates = settings.trust().file();
        if (certificates != null) {
            environment.put("COPPICE_CA", certificates.toString());
            // Programs on Node.js add these to their own, for hooks and MCP.
            environment.putIfAbsent("NODE_EXTRA_CA_CERTS", certificates.toString());
        }
        environment.put(Mark.RUN, run.runId());
        environment.put(Mark.RUNNER, runnerId);
    }

    private static String before(@Nullable String path, String commands) {
        return path == null || path.isEmpty() ? commands : commands + File.pathSeparator + path;
    }
}
