package dev.coppice.blueprints;

import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The documents that blueprints are created from and shown as. They belong to their authors:
 * unknown fields are preserved.
 */
public final class BlueprintDocument {
    private static final Set<String> VALUES = Set.of("env", "headers");
    private static final String HIDDEN = "(hidden)";

    private BlueprintDocument() {}

    public static JsonNode created(JsonNode sent, Instant now) {
        var document = (ObjectNode) sent.deepCopy();
        return document.put("created_at", now.toString()).put("modified_at", now.toString());
    }

    /** The document with these fields replaced. */
    public static JsonNode changed(Definition before, JsonNode changes, Instant now) {
        var document = before.copy();
        changes.properties().forEach(field -> document.set(field.getKey(), field.getValue()));
        return document.put("name", before.name()).put("modified_at", now.toString());
    }

    public static JsonNode withStatus(Definition before, String status, Instant now) {
        return changed(before, Json.object().put("status", status), now);
    }

    /** The document with all fields that clients expect; absent ones are empty or null. */
    public static JsonNode shown(Definition definition) {
        var document = definition.copy();
        var b = definition.blueprint();
        document.put("name", b.name());
        document.remove(Resolution.SCRIPTS);
        document.put("kind", BlueprintText.word(b.kind()));
        document.put("status", Shape.word(b.standing()));
        if (!document.hasNonNull("type")) {
            document.put("type", BlueprintText.executorType(b));
        }
        for (var list : List.of("tags", "command")) {
            if (!document.hasNonNull(list)) document.putArray(list);
        }
        for (var text : List.of("description", "parameters_schema", "output_schema", "demands")) {
            if (!document.has(text)) document.putNull(text);
        }
        return document;
    }

    /** The document with the reason why its references could not be resolved. */
    public static JsonNode unresolved(JsonNode shown, String why) {
        return ((ObjectNode) shown.deepCopy()).put("resolution_error", why);
    }

    /** Hides values of environments and headers, and keys in arguments and addresses. */
    public static JsonNode withoutValues(JsonNode shown) {
        var document = shown.deepCopy();
        hideAnywhere(document);
        hideAll(document.path("default_config"));
        for (var server : document.path("mcp_servers")) hideAll(server.path("config"));
        Concealed.servers(document.path("mcp_servers"), HIDDEN);
        // The document of a server in the registry has its address, and no command.
        if (document.path("url").isString()) Concealed.server(document, HIDDEN);
        for (var rule : document.path("config_schema")) {
            if (rule instanceof ObjectNode object && object.has("default")) {
                object.put("default", HIDDEN);
            }
        }
        return document;
    }

    /** Searches all levels, because tool servers have environments and headers, too. */
    private static void hideAnywhere(JsonNode node) {
        for (var field : node.properties()) {
            if (field.getKey().endsWith("_schema")) continue;
            if (VALUES.contains(field.getKey())) hideAll(field.getValue());
            else hideAnywhere(field.getValue());
        }
        if (node.isArray()) node.forEach(BlueprintDocument::hideAnywhere);
    }

    private static void hideAll(JsonNode values) {
        if (!(values instanceof ObjectNode object)) return;
        for (var name : List.copyOf(object.propertyNames())) object.put(name, HIDDEN);
    }
}
