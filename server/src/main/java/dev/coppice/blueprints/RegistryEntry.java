package dev.coppice.blueprints;

import dev.coppice.blueprint.BlueprintName;
import dev.coppice.registry.Fault;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Collection;

/** An entry of a registry besides blueprints: a checked document. */
public sealed interface RegistryEntry permits Capability, Script, McpServer {
    String name();

    JsonNode document();

    /** The fields that a list shows. */
    JsonNode summary();

    /** Refuses a document without a valid name in this field. */
    static String name(JsonNode document, String field) {
        var given = Json.text(document, field);
        var name = given == null ? "" : given;
        if (!BlueprintName.isValid(name)) throw new Fault(field, name, BlueprintName.RULE);
        return name;
    }

    static String required(JsonNode document, String field) {
        var given = text(document, field);
        if (given == null || given.isBlank())
            throw new Fault(field, "", "a text that is not empty");
        return given;
    }

    static @Nullable String text(JsonNode document, String field) {
        var given = document.get(field);
        if (given == null || given.isNull()) return null;
        if (!given.isString()) throw new Fault(field, given.toString(), "a text");
        return given.asString();
    }

    static @Nullable JsonNode object(JsonNode document, String field) {
        var given = document.get(field);
        if (given == null || given.isNull()) return null;
        if (!given.isObject()) throw new Fault(field, given.toString(), "a JSON object");
        return given;
    }

    /** Refuses unknown fields: a misspelt one would be ignored silently. */
    static void checkFields(JsonNode document, Collection<String> known) {
        for (var field : document.propertyNames()) {
            if (!known.contains(field)) {
                var all = String.join(", ", known.stream().sorted().toList());
                throw new Fault(field, "a field", "one of " + all);
            }
        }
    }
}
