package dev.coppice.http;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.agent.Blueprint;
import dev.coppice.agent.BlueprintName;
import dev.coppice.agent.Blueprints;
import dev.coppice.agent.Schemas;
import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.view.BlueprintText;
import dev.coppice.view.Views;
import dev.coppice.web.Exchange;
import dev.coppice.web.Method;
import dev.coppice.web.Once;
import dev.coppice.web.Problems;
import dev.coppice.web.Rejected;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Blueprints, under the original's name for them. */
public final class AgentRoutes {
    /** What the original's documents may hold and nothing here reads yet: better said than kept. */
    private static final Map<String, String> LATER =
            Map.of(
                    "hooks", "Run hooks",
                    "capabilities", "Capabilities",
                    "mcp_servers", "MCP servers in a blueprint");

    private static final Set<String> VALUES = Set.of("env", "headers");
    private static final String HIDDEN = "(hidden)";

    private final Blueprints blueprints;
    private final Schemas schemas;
    private final Once once;
    private final InstantSource clock;

    public AgentRoutes(Blueprints blueprints, Schemas schemas, Once once, InstantSource clock) {
        this.blueprints = blueprints;
        this.schemas = schemas;
        this.once = once;
        this.clock = clock;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/agents", Need.READ, "List blueprints", this::list)
                        .with(
                                new Route.Query(
                                        "tags", "only those with all of these, with commas"),
                                new Route.Query("after", "only names after this one"),
                                new Route.Query("limit", "how many at most; 100 by default")),
                Route.post("/agents", Need.DEFINE, "Make a blueprint", this::create),
                Route.get("/agents/{name}", Need.READ, "Read a blueprint", this::read),
                Route.of(
                        Method.PATCH,
                        "/agents/{name}",
                        Need.DEFINE,
                        "Change a blueprint",
                        this::change),
                Route.of(
                        Method.DELETE,
                        "/agents/{name}",
                        Need.DEFINE,
                        "Remove a blueprint",
                        this::remove),
                Route.of(
                        Method.PATCH,
                        "/agents/{name}/status",
                        Need.DEFINE,
                        "Activate or deactivate a blueprint",
                        this::stand));
    }

    private Reply list(Exchange x) {
        var asked = x.query("tags");
        var tags = asked == null ? Set.<String>of() : Set.of(asked.split(",", -1));
        var after = x.query("after");
        var found =
                blueprints.all().stream()
                        .filter(b -> b.tags().containsAll(tags))
                        .filter(b -> after == null || b.name().compareTo(after) > 0)
                        .limit(x.cursor().max())
                        .map(b -> shown(x, b))
                        .toList();
        return Reply.ok(found);
    }

    private Reply read(Exchange x) {
        return with(x, b -> Reply.ok(shown(x, b)));
    }

    private Reply with(Exchange x, Function<Blueprint, Reply> then) {
        var name = x.path("name");
        return blueprints
                .find(name)
                .map(then)
                .orElseGet(() -> Problems.reply(new BlueprintRefusal.BlueprintUnknown(name)));
    }

    /** Values are for those who could set them: keys of services stand there in clear. */
    private static ObjectNode shown(Exchange x, Blueprint b) {
        var document = shown(b);
        if (!Access.may(x.caller().role(), Need.DEFINE)) hideValues(document);
        return document;
    }

    /** At any depth: a tool server has an environment and headers of its own. */
    private static void hideValues(JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (var field : object.properties()) {
                boolean secret = VALUES.contains(field.getKey()) && field.getValue().isObject();
                if (secret) field.getValue().propertyNames().forEach(n -> hide(field, n));
                else hideValues(field.getValue());
            }
        } else if (node.isArray()) {
            node.forEach(AgentRoutes::hideValues);
        }
    }

    private static void hide(Map.Entry<String, JsonNode> values, String name) {
        ((ObjectNode) values.getValue()).put(name, HIDDEN);
    }

    private static ObjectNode shown(Blueprint b) {
        var document = (ObjectNode) Views.json(b.definition());
        document.put("name", b.name());
        document.put("kind", Views.word(b.kind()));
        document.put("status", Views.word(b.standing()));
        if (!document.hasNonNull("type")) document.put("type", "autonomous");
        for (var list : List.of("tags", "command")) {
            if (!document.hasNonNull(list)) document.putArray(list);
        }
        for (var text : List.of("description", "parameters_schema", "output_schema", "demands")) {
            if (!document.has(text)) document.putNull(text);
        }
        return document;
    }

    private Reply create(Exchange x) {
        var document = (ObjectNode) x.json();
        var now = clock.instant().toString();
        document.put("created_at", now).put("modified_at", now);
        var blueprint = checked(document);
        return once.perform(x, () -> create(blueprint));
    }

    private Reply create(Blueprint blueprint) {
        var name = blueprint.name();
        if (blueprints.find(name).isPresent() && !blueprints.isBuiltIn(name)) {
            return Problems.reply(new BlueprintRefusal.BlueprintTaken(name));
        }
        blueprints.save(blueprint);
        return Reply.created(shown(blueprint));
    }

    private Reply change(Exchange x) {
        var changes = x.json();
        return with(x, b -> saved(b, changes));
    }

    private Reply saved(Blueprint b, JsonNode changes) {
        var document = (ObjectNode) Views.json(b.definition());
        changes.properties().forEach(field -> document.set(field.getKey(), field.getValue()));
        document.put("name", b.name()).put("modified_at", clock.instant().toString());
        var changed = checked(document);
        blueprints.save(changed);
        return Reply.ok(shown(changed));
    }

    private Reply stand(Exchange x) {
        var status = Json.text(x.json(), "status");
        if (!"active".equals(status) && !"inactive".equals(status)) {
            throw Room.ASKED.bad("status", String.valueOf(status), "active or inactive");
        }
        return with(x, b -> saved(b, Json.object().put("status", status)));
    }

    private Reply remove(Exchange x) {
        var name = x.path("name");
        if (!BlueprintName.isShapely(name) || blueprints.find(name).isEmpty()) {
            return Problems.reply(new BlueprintRefusal.BlueprintUnknown(name));
        }
        if (blueprints.isBuiltIn(name))
            return Problems.reply(new BlueprintRefusal.BlueprintBuiltIn(name));
        blueprints.remove(name);
        return new Reply.Nothing(204);
    }

    private Blueprint checked(ObjectNode document) {
        int size = Bounds.bytesOf(document.toString());
        if (size > Bounds.BLUEPRINT_BYTES_MAX) {
            throw new Rejected(
                    new RequestRefusal.TooLarge("blueprint", size, Bounds.BLUEPRINT_BYTES_MAX));
        }
        for (var later : LATER.entrySet()) {
            var node = document.get(later.getKey());
            if (node != null && !node.isEmpty()) {
                throw new Rejected(new RequestRefusal.NotOffered(later.getValue()));
            }
        }
        var blueprint = read(document);
        faultless("parameters_schema", blueprint.contract().parameters());
        faultless("output_schema", blueprint.contract().output());
        return blueprint;
    }

    private static Blueprint read(ObjectNode document) {
        try {
            return BlueprintText.read(document);
        } catch (BlueprintText.Fault e) {
            throw Room.ASKED.bad(e.field(), e.value(), e.rule());
        }
    }

    private void faultless(String field, @Nullable JsonText schema) {
        if (schema == null) return;
        var faults = schemas.faults(schema);
        if (!faults.isEmpty()) {
            throw Room.ASKED.bad(field, faults.getFirst(), "a usable JSON Schema");
        }
    }
}
