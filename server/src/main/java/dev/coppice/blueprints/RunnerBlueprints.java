package dev.coppice.blueprints;

import dev.coppice.fleet.Runner;
import dev.coppice.registry.Fault;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** The blueprints that a runner brought. Only that runner starts them, by a command of its own. */
public final class RunnerBlueprints {
    private static final String OWNER = "runner_id";
    private static final List<String> FIELDS =
            List.of("name", "description", "command", "parameters_schema", "output_schema");

    private RunnerBlueprints() {}

    /** The runner that brought a blueprint; null if none did. */
    public static @Nullable String owner(Definition blueprint) {
        return Json.textIfAny(blueprint.copy(), OWNER);
    }

    /** Refuses a list with a faulty blueprint; the fault names its place. */
    public static void check(@Nullable List<JsonNode> agents) {
        if (agents == null) return;
        var names = new HashSet<String>();
        for (int i = 0; i < agents.size(); i++) {
            var place = "agents[%d]".formatted(i);
            var agent = agents.get(i);
            try {
                var name = RegistryEntry.name(agent, "name");
                if (!names.add(name)) throw new Fault("name", name, "that of one agent only");
                RegistryEntry.required(agent, "command");
                for (var schema : List.of("parameters_schema", "output_schema")) {
                    RegistryEntry.object(agent, schema);
                }
            } catch (Fault e) {
                throw new Fault(place + "." + e.field(), e.value(), e.rule());
            }
        }
    }

    public static List<Definition> of(Runner runner) {
        var agents = runner.skills().agents();
        if (agents == null) return List.of();
        var all = new ArrayList<Definition>();
        for (var agent : Json.read(agents.value())) all.add(blueprint(runner, agent));
        return all;
    }

    private static Definition blueprint(Runner runner, JsonNode agent) {
        var document = Json.object();
        for (var field : FIELDS) if (agent.hasNonNull(field)) document.set(field, agent.get(field));
        // An older dashboard reads the length of a description.
        if (!document.has("description")) document.put("description", "");
        document.put("type", "procedural").put(OWNER, runner.id().value());
        document.put("created_at", runner.registered().toString());
        document.put("modified_at", runner.registered().toString());
        var post = runner.post();
        document.putObject("demands")
                .put("hostname", post.hostname())
                .put("project_dir", post.projectDir())
                .put("executor_profile", post.executorProfile());
        // The command is one text, which the runner splits.
        var listed = document.deepCopy();
        listed.putArray("command").add(RegistryEntry.required(agent, "command"));
        return Definition.of(BlueprintText.read(listed).blueprint(), document);
    }
}
