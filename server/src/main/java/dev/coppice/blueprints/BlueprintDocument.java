package dev.coppice.blueprints;

import dev.coppice.agent.Blueprint;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The documents that blueprints are created from and shown as. They belong to their authors:
 * unknown fields are preserved.
 */
public final class BlueprintDocument {
    private static final Set<String> VALUES = Set.of("env", "headers", "config", "default_config");
    private static final String HIDDEN = "(hidden)";

    private BlueprintDocument() {}

    public static JsonNode created(JsonNode sent, Instant now) {
        var document = (ObjectNode) sent.deepCopy();
        return document.put("created_at", now.toString()).put("modified_at", now.toString());
    }

    /** The document with these fields replaced. */
    public static JsonNode changed(Blueprint before, JsonNode changes, Instant now) {
        var document = (ObjectNode) Json.read(before.definition().value());
        changes.properties().forEach(field -> document.set(field.getKey(), field.getValue()));
        return document.put("name", before.name()).put("modified_at", now.toString());
    }

    public static JsonNode withStatus(Blueprint before, String status, Instant now) {
        return changed(before, Json.object().put("status", status), now);
    }

    /** The document with all fields of the original; absent ones are empty or null. */
    public static JsonNode shown(Blueprint b) {
        var document = (ObjectNode) Json.read(b.definition().value());
        document.put("name", b.name());
        document.remove(Resolution.SCRIPTS);
        document.put("kind", BlueprintText.word(b.kind()));
        document.put("status", Shape.word(b.standing()));
        if (!document.hasNonNull("type")) document.put("type", "autonomous");
        for (var list : List.of("tags", "command")) {
            if (!document.hasNonNull(list)) document.putArray(list);
        }
        for (var text : List.of("description", "parameters_schema", "output_schema", "demands")) {
            if (!document.has(text)) document.putNull(text);
        }
        return document;
    }

    /** A document with the reason why it is shown without what it refers to. */
    public static JsonNode unresolved(JsonNode shown, String why) {
        return ((ObjectNode) shown.deepCopy()).put("resolution_error", why);
    }

    /** Hides the values of environments and headers, which hold keys of services. */
    public static JsonNode withoutValues(JsonNode shown) {
        var document = shown.deepCopy();
        hideValues(document);
        return document;
    }

    /** Hides values at any depth: tool servers have environments and headers of their own. */
    private static void hideValues(JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (var field : object.properties()) {
                boolean secret = VALUES.contains(field.getKey()) && field.getValue().isObject();
                if (secret) field.getValue().propertyNames().forEach(name -> hide(field, name));
                else hideValues(field.getValue());
            }
        } else if (node.isArray()) {
            node.forEach(BlueprintDocument::hideValues);
        }
    }

    private static void hide(Map.Entry<String, JsonNode> values, String name) {
        ((ObjectNode) values.getValue()).put(name, HIDDEN);
    }
}
