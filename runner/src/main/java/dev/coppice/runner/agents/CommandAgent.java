package dev.coppice.runner.agents;

import dev.coppice.runner.process.StopSignal;
import dev.coppice.wire.Json;
import dev.coppice.wire.fleet.ClaimedRun;

import java.util.ArrayList;
import java.util.List;

/** Any program: the prompt on standard input, the result on standard output. */
public final class CommandAgent implements Agent {
    @Override
    public Start start(ClaimedRun run) {
        var blueprint = run.resolvedAgentBlueprint();
        var command = new ArrayList<String>();
        var words = blueprint.get("command");
        if (words != null) words.forEach(word -> command.add(word.asString()));
        if (command.isEmpty()) throw new IllegalArgumentException("the blueprint names no command");
        var signal = Json.text(blueprint, "stop_signal");
        return new Start(
                List.copyOf(command),
                AgentInput.environment(run),
                AgentInput.input(run),
                signal == null ? null : StopSignal.of(signal));
    }
}
