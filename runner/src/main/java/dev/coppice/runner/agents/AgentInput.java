package dev.coppice.runner.agents;

import dev.coppice.wire.Json;
import dev.coppice.wire.fleet.ClaimedRun;

import java.util.LinkedHashMap;
import java.util.Map;

/** The environment and the input that every kind of agent gets from its run. */
final class AgentInput {
    private AgentInput() {}

    static Map<String, String> environment(ClaimedRun run) {
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

    /** Returns the input of the agent; a resumed session gets only the new prompt. */
    static String input(ClaimedRun run) {
        var prompt = Json.text(run.parameters(), "prompt");
        boolean goesOn = run.type().equals("resume_session");
        return prompt != null && goesOn ? prompt : Prompt.of(run.parameters());
    }
}
