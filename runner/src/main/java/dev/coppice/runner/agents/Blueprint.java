package dev.coppice.runner.agents;

import dev.coppice.wire.Json;
import dev.coppice.wire.fleet.ClaimedRun;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parts of a blueprint that every kind of agent uses. */
final class Blueprint {
    /** The kernel truncates a program's name to this length. */
    private static final int NAME_CHARS_MAX = 15;

    private Blueprint() {}

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

    /** Returns the programs that belong to the agent, by the names the kernel shows. */
    static List<String> helpers(ClaimedRun run) {
        var names = new ArrayList<String>();
        var named = run.resolvedAgentBlueprint().get("helpers");
        if (named == null) return names;
        for (var name : named) {
            var whole = name.asString();
            names.add(whole.substring(0, Math.min(NAME_CHARS_MAX, whole.length())));
        }
        return names;
    }

    /** Returns the input of the agent; a resumed session gets only the new prompt. */
    static String input(ClaimedRun run) {
        var prompt = Json.text(run.parameters(), "prompt");
        boolean goesOn = run.type().equals("resume_session");
        return prompt != null && goesOn ? prompt : Prompt.of(run.parameters());
    }
}
