package dev.coppice.operations.registry;

import dev.coppice.blueprint.Blueprint;
import dev.coppice.blueprints.AllBlueprints;
import dev.coppice.blueprints.Capability;
import dev.coppice.blueprints.Definition;
import dev.coppice.blueprints.Registries;
import dev.coppice.blueprints.RunHook;
import dev.coppice.kernel.BlueprintRefusal.Registered;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** Finds the blueprints and capabilities that refer to an entry. */
final class References {
    private final AllBlueprints blueprints;
    private final Registries registries;

    References(AllBlueprints blueprints, Registries registries) {
        this.blueprints = blueprints;
        this.registries = registries;
    }

    List<String> to(Registered what, String name) {
        var by = new ArrayList<String>();
        for (var blueprint : blueprints.all()) {
            if (refers(blueprint, what, name)) by.add("agent '%s'".formatted(blueprint.name()));
        }
        for (var capability : registries.capabilities().all().values()) {
            if (!refers(capability, what, name)) continue;
            by.add("capability '%s'".formatted(capability.name()));
        }
        return by;
    }

    private static boolean refers(Definition definition, Registered what, String name) {
        var blueprint = definition.blueprint();
        var references = blueprint.references();
        return switch (what) {
            case AGENT ->
                    !name.equals(blueprint.name())
                            && RunHook.all(definition.copy()).stream()
                                    .anyMatch(hook -> hook.agent().equals(name));
            case CAPABILITY -> references.capabilities().contains(name);
            case SCRIPT ->
                    blueprint.kind() == Blueprint.Kind.PROCEDURAL
                            && name.equals(blueprint.program().script());
            case MCP_SERVER -> references.mcpServers().contains(name);
        };
    }

    private static boolean refers(Capability capability, Registered what, String name) {
        return switch (what) {
            case AGENT, CAPABILITY -> false;
            case SCRIPT -> name.equals(capability.script());
            case MCP_SERVER -> connects(capability.mcpServers(), name);
        };
    }

    private static boolean connects(JsonNode servers, String name) {
        return servers.valueStream().anyMatch(s -> name.equals(Json.textIfAny(s, "ref")));
    }
}
