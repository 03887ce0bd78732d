package dev.coppice.runner.agents;

import dev.coppice.wire.Json;
import dev.coppice.wire.fleet.ClaimedRun;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** A script of the registry, with the parameters of the run as its arguments. */
public final class ProceduralAgent implements Agent {
    /** The kind of blueprints that it starts. */
    public static final String KIND = "procedural";

    @Override
    public Start start(ClaimedRun run) {
        if (run.type().equals("resume_session")) {
            throw new IllegalArgumentException("a procedural agent is stateless; start it again");
        }
        var blueprint = run.resolvedAgentBlueprint();
        var name = Json.text(blueprint, "script");
        var script = blueprint.path(Scripts.FIELD).path(String.valueOf(name));
        if (!script.hasNonNull("path")) {
            throw new IllegalArgumentException("the run came without the script '" + name + "'");
        }
        var command = new ArrayList<String>();
        for (var word : script.path("interpreter")) command.add(word.asString());
        command.add(script.get("path").asString());
        run.parameters().properties().forEach(p -> add(command, "--" + p.getKey(), p.getValue()));
        return new Start(command, AgentInput.environment(run), "", null);
    }

    /** Adds an argument: a list is joined, and a false one is left out, as scripts expect. */
    private static void add(List<String> command, String option, JsonNode value) {
        boolean isAbsent = value.isNull() || (value.isBoolean() && !value.asBoolean());
        if (isAbsent) return;
        command.add(option);
        if (value.isBoolean()) return;
        command.add(
                value.isArray()
                        ? String.join(",", value.valueStream().map(ProceduralAgent::text).toList())
                        : text(value));
    }

    private static String text(JsonNode value) {
        return value.isString() ? value.asString() : value.toString();
    }
}
