package dev.coppice.blueprints;

import dev.coppice.blueprint.Blueprint;
import dev.coppice.blueprint.PlaceholderCheck;
import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.BlueprintRefusal.Registered;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.registry.Fault;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Puts into a blueprint what it refers to: the texts, scripts and MCP servers of its capabilities,
 * the script of a procedural blueprint, and the MCP servers of the registry. A run keeps the
 * result, so that later changes of a registry do not change it.
 */
public final class Resolution {
    /**
     * Scripts by their names, each with its file, content and interpreter, in a resolved blueprint.
     */
    public static final String SCRIPTS = "resolved_scripts";

    /** Stands between the prompt of a blueprint and the texts of its capabilities. */
    private static final String BETWEEN = "\n\n---\n\n";

    private final Lookup registries;

    public Resolution(Lookup registries) {
        this.registries = registries;
    }

    /** A reference that cannot be resolved. */
    private static final class Unresolved extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient Refusal refusal;

        Unresolved(Refusal refusal) {
            super(refusal.said());
            this.refusal = refusal;
        }
    }

    /** With capabilities and scripts; MCP servers stay references. */
    public Outcome<Definition> described(Definition definition) {
        var blueprint = definition.blueprint();
        boolean isPlain =
                blueprint.references().capabilities().isEmpty()
                        && blueprint.kind() != Blueprint.Kind.PROCEDURAL;
        if (isPlain) return Outcome.done(definition);
        return attempted(() -> described(blueprint.name(), definition.copy()));
    }

    /**
     * A described blueprint with its MCP servers. {@code hasValue} is false for texts with a
     * placeholder that this run has no value for.
     */
    public Outcome<Definition> connected(Definition described, Predicate<String> hasValue) {
        if (described.blueprint().references().mcpServers().isEmpty()) {
            return Outcome.done(described);
        }
        return attempted(() -> connected(described.name(), described.copy(), hasValue));
    }

    private interface Attempt {
        ObjectNode make();
    }

    private static Outcome<Definition> attempted(Attempt attempt) {
        try {
            return Outcome.done(BlueprintText.read(attempt.make()));
        } catch (Unresolved e) {
            return Outcome.refused(e.refusal);
        } catch (Fault e) {
            return Outcome.refused(new RequestRefusal.BadValue(e.field(), e.value(), e.rule()));
        }
    }

    private ObjectNode described(String name, ObjectNode document) {
        var script = Json.textIfAny(document, "script");
        if (BlueprintText.isProcedural(document) && script != null) {
            return procedural(name, document, script);
        }
        var prompt = new ArrayList<String>();
        var own = Json.textIfAny(document, "system_prompt");
        if (own != null && !own.isEmpty()) prompt.add(own);
        var servers = new LinkedHashMap<String, JsonNode>();
        var from = new LinkedHashMap<String, String>();
        for (var each : document.path("capabilities")) {
            var capability = capability(name, each.asString(""));
            var text = capability.text();
            if (text != null && !text.isEmpty()) prompt.add(text);
            var called = capability.script();
            if (called != null) {
                var found = script(name, called);
                embed(document, found);
                prompt.add(found.usage("${" + PlaceholderCheck.SCRIPTS + "}"));
            }
            var source = "capability '%s'".formatted(capability.name());
            add(name, servers, from, capability.mcpServers(), source);
        }
        add(name, servers, from, document.path("mcp_servers"), "the blueprint itself");
        if (!prompt.isEmpty()) document.put("system_prompt", String.join(BETWEEN, prompt));
        if (!servers.isEmpty()) document.set("mcp_servers", Json.tree(servers));
        return document;
    }

    private static void add(
            String blueprint,
            Map<String, JsonNode> servers,
            Map<String, String> from,
            JsonNode more,
            String source) {
        for (var server : more.properties()) {
            var before = from.putIfAbsent(server.getKey(), source);
            if (before != null) {
                throw new Unresolved(
                        new BlueprintRefusal.McpServerTwice(
                                blueprint, server.getKey(), before, source));
            }
            servers.put(server.getKey(), server.getValue());
        }
    }

    /** The script's schema supersedes the blueprint's, and its demands are added. */
    private ObjectNode procedural(String name, ObjectNode document, String named) {
        var script = script(name, named);
        var parameters = script.parameters();
        if (parameters != null) document.set("parameters_schema", parameters);
        var own = BlueprintText.demands(document.get("demands"));
        var demands = script.demands().and(own);
        var node = Json.object();
        node.put("hostname", demands.hostname());
        node.put("project_dir", demands.projectDir());
        node.put("executor_profile", demands.executorProfile());
        node.put("executor_type", demands.executorType());
        node.set("tags", Json.tree(new TreeSet<>(demands.tags())));
        document.set("demands", node);
        document.put("kind", BlueprintText.word(Blueprint.Kind.PROCEDURAL));
        embed(document, script);
        return document;
    }

    private static void embed(ObjectNode document, Script script) {
        var scripts =
                document.get(SCRIPTS) instanceof ObjectNode some
                        ? some
                        : document.putObject(SCRIPTS);
        scripts.putObject(script.name())
                .put("file", script.file())
                .put("content", script.content())
                .set("interpreter", Json.tree(script.interpreter()));
    }

    private Capability capability(String by, String name) {
        return found(by, Registered.CAPABILITY, name, registries.capability(name));
    }

    private Script script(String by, String name) {
        return found(by, Registered.SCRIPT, name, registries.script(name));
    }

    private static <T> T found(String by, Registered what, String name, Optional<T> entry) {
        return entry.orElseThrow(() -> new Unresolved(unknown(by, what, name)));
    }

    private ObjectNode connected(String name, ObjectNode document, Predicate<String> hasValue) {
        var servers = (ObjectNode) document.path("mcp_servers");
        for (var server : List.copyOf(servers.properties())) {
            var reference = server.getValue();
            if (!reference.has("ref")) continue;
            var ref = reference.path("ref").asString("");
            var known = registries.mcpServer(ref);
            var entry = found(name, Registered.MCP_SERVER, ref, known);
            var whole = entry.with(reference.path("config"));
            var missing = entry.missing(whole, hasValue);
            if (!missing.isEmpty()) {
                throw new Unresolved(
                        new BlueprintRefusal.McpConfigMissing(server.getKey(), missing));
            }
            servers.set(server.getKey(), whole);
        }
        return document;
    }

    /** The first unknown reference of a blueprint. */
    public Optional<Refusal> unknown(Definition blueprint) {
        return switch (described(blueprint)) {
            case Outcome.Refused<Definition>(var refusal) -> Optional.of(refusal);
            case Outcome.Done<Definition>(var b) ->
                    unknownServer(b.name(), b.blueprint().references().mcpServers());
        };
    }

    /** The first unknown reference of a capability. */
    public Optional<Refusal> unknown(Capability capability) {
        var script = capability.script();
        if (script != null && registries.script(script).isEmpty()) {
            return Optional.of(unknown(capability.name(), Registered.SCRIPT, script));
        }
        return unknownServer(capability.name(), BlueprintText.servers(capability.document()));
    }

    private Optional<Refusal> unknownServer(String by, List<String> refs) {
        return refs.stream()
                .filter(ref -> registries.mcpServer(ref).isEmpty())
                .map(ref -> unknown(by, Registered.MCP_SERVER, ref))
                .findFirst();
    }

    private static Refusal unknown(String by, Registered what, String name) {
        return new BlueprintRefusal.ReferenceUnknown(by, what, name);
    }
}
