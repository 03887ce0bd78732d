package dev.coppice.runner.agents;

import dev.coppice.wire.ClaimedRun;
import dev.coppice.wire.Json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Any program: the prompt on standard input, the result on standard output. */
public final class CommandAgent implements Agent {
    @Override
    public Start start(ClaimedRun run) {
        var blueprint = run.resolvedAgentBlueprint();
        var command = new ArrayList<String>();
        var words = blueprint.get("command");
        if (words != null) words.forEach(word -> command.add(word.asString()));
        if (command.isEmpty()) throw new IllegalArgumentException("the blueprint names no command");
        return new Start(List.copyOf(command), environment(run), Prompt.of(run.parameters()));
    }

    private static Map<String, String> environment(ClaimedRun run) {
        var blueprint = run.resolvedAgentBlueprint();
        var environment = new LinkedHashMap<String, String>();
        var system = Json.text(blueprint, "system_prompt");
        if (system != null) environment.put("AGENT_SYSTEM_PROMPT", system);
        var given = blueprint.get("env");
        if (given != null) {
            given.properties().forEach(f -> environment.put(f.getKey(), f.getValue().asString()));
        }
        return environment;
    }
}
