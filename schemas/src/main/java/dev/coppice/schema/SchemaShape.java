package dev.coppice.schema;

import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds faults of a schema without applying it: references to itself that do not descend into the
 * value and so never end, thousands of schemas for one value, and references to anything outside
 * its own text.
 */
final class SchemaShape {
    /** The limit of schemas that are applied to one value. */
    private static final int LOOKS_MAX = 5_000;

    private static final Set<String> DIALECTS =
            Set.of(
                    "http://json-schema.org/draft-04/schema",
                    "http://json-schema.org/draft-06/schema",
                    "http://json-schema.org/draft-07/schema",
                    "https://json-schema.org/draft/2019-09/schema",
                    "https://json-schema.org/draft/2020-12/schema");
    private static final List<String> REFERENCES = List.of("$ref", "$dynamicRef", "$recursiveRef");
    private static final List<String> LISTS = List.of("allOf", "anyOf", "oneOf");
    private static final List<String> SINGLE = List.of("not", "if", "then", "else");
    private static final List<String> NAMED = List.of("dependentSchemas", "dependencies");

    private final JsonNode root;
    private final Map<String, JsonNode> anchors = new HashMap<>();
    private final IdentityHashMap<JsonNode, Long> looks = new IdentityHashMap<>();
    private final Set<JsonNode> entered =
            java.util.Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<String> faults = new HashSet<>();

    private SchemaShape(JsonNode root) {
        this.root = root;
    }

    /** The faults of a schema; empty if it may be used. */
    static List<String> faults(JsonNode schema) {
        var shape = new SchemaShape(schema);
        var dialect = schema.path("$schema");
        if (!dialect.isMissingNode() && !isKnown(dialect)) {
            return List.of("$schema: %s is not one of %s".formatted(dialect, DIALECTS));
        }
        shape.anchored(schema);
        shape.walk(schema);
        return List.copyOf(shape.faults);
    }

    private static boolean isKnown(JsonNode dialect) {
        return dialect.isString() && DIALECTS.contains(dialect.asString().replaceFirst("#$", ""));
    }

    private void anchored(JsonNode node) {
        for (var name : List.of("$anchor", "$dynamicAnchor")) {
            var anchor = node.path(name);
            if (anchor.isString()) anchors.put(anchor.asString(), node);
        }
        for (var name : List.of("$id", "id")) {
            var id = node.path(name);
            if (id.isString() && id.asString().startsWith("#")) {
                anchors.put(id.asString().substring(1), node);
            }
        }
        node.forEach(this::anchored);
    }

    /** Checks every object, because any may be a schema; other objects refer to nothing. */
    private void walk(JsonNode node) {
        if (node.isObject()) looks(node);
        node.forEach(this::walk);
    }

    /** Counts the schemas that are applied to a value when this one is, including itself. */
    private long looks(JsonNode schema) {
        var known = looks.get(schema);
        if (known != null) return known;
        if (!entered.add(schema)) {
            faults.add("$ref: a schema refers to itself without descending into the value");
            return 1;
        }
        long all = 1;
        for (var next : applied(schema)) all = Math.min(LOOKS_MAX + 1L, all + looks(next));
        if (all > LOOKS_MAX) {
            faults.add("more than %d schemas would be applied to one value".formatted(LOOKS_MAX));
        }
        entered.remove(schema);
        looks.put(schema, all);
        return all;
    }

    private List<JsonNode> applied(JsonNode schema) {
        var found = new ArrayList<JsonNode>();
        for (var name : LISTS) schema.path(name).forEach(found::add);
        for (var name : SINGLE) if (schema.path(name).isObject()) found.add(schema.path(name));
        for (var name : NAMED) schema.path(name).forEach(found::add);
        for (var name : REFERENCES) {
            var to = schema.path(name);
            if (to.isString()) resolved(to.asString()).ifPresent(found::add);
        }
        found.removeIf(node -> !node.isObject());
        return found;
    }

    private java.util.Optional<JsonNode> resolved(String reference) {
        if (!reference.startsWith("#")) {
            faults.add("$ref: '%s' is outside the schema".formatted(reference));
            return java.util.Optional.empty();
        }
        var name =
                URLDecoder.decode(
                        reference.substring(1).replace("+", "%2B"), StandardCharsets.UTF_8);
        var found = name.isEmpty() ? root : name.startsWith("/") ? at(name) : anchors.get(name);
        if (found == null || found.isMissingNode()) {
            faults.add("$ref: the schema has nothing at '%s'".formatted(reference));
            return java.util.Optional.empty();
        }
        return java.util.Optional.of(found);
    }

    private JsonNode at(String pointer) {
        return root.at(JsonPointer.compile(pointer));
    }
}
