package dev.coppice.runner.agents;

import dev.coppice.runner.process.StopSignal;
import dev.coppice.wire.Json;
import dev.coppice.wire.fleet.ClaimedRun;

/** Starts the scripted agent in a small JVM of its own that starts quickly. */
public final class ScriptedAgent implements Agent {
    @Override
    public Start start(ClaimedRun run) {
        var script = Json.text(run.resolvedAgentBlueprint(), "script");
        return new Start(
                JavaProgram.command(Scripted.class, 64),
                AgentInput.environment(run),
                script == null ? AgentInput.input(run) : script,
                StopSignal.TERM);
    }
}
