package dev.coppice.runner.agents;

import dev.coppice.runner.process.StopSignal;
import dev.coppice.wire.Json;
import dev.coppice.wire.fleet.ClaimedRun;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the scripted agent in a small JVM of its own that starts quickly. */
public final class ScriptedAgent implements Agent {
    private final List<String> java;

    public ScriptedAgent() {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
        this.java = List.copyOf(command);
    }

    /** Looks for the class cache each time, because it may appear while the runner runs. */
    private List<String> command() {
        var command = new ArrayList<>(java);
        var cache = System.getenv("COPPICE_CLASS_CACHE");
        if (cache != null && Files.exists(Path.of(cache))) {
            command.addAll(List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off"));
        }
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Scripted.class.getName());
        return command;
    }

    @Override
    public Start start(ClaimedRun run) {
        var script = Json.text(run.resolvedAgentBlueprint(), "script");
        return new Start(
                command(),
                Blueprint.environment(run),
                script == null ? Blueprint.input(run) : script,
                StopSignal.TERM);
    }
}
