package dev.coppice.blueprints;

import dev.coppice.registry.Fault;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** An MCP server to which blueprints refer. Its configuration becomes HTTP headers. */
public record McpServer(String name, JsonNode document) implements RegistryEntry {
    private static final List<String> FIELDS =
            List.of(
                    "id",
                    "name",
                    "description",
                    "url",
                    "config_schema",
                    "default_config",
                    "created_at",
                    "updated_at");
    private static final List<String> RULE_FIELDS =
            List.of("type", "description", "required", "sensitive", "default");

    /** Reads and checks a document; {@code name} is its title, and {@code id} its name here. */
    public static McpServer read(JsonNode document) {
        var id = RegistryEntry.name(document, "id");
        RegistryEntry.checkFields(document, FIELDS);
        RegistryEntry.required(document, "name");
        RegistryEntry.text(document, "description");
        var url = RegistryEntry.required(document, "url");
        boolean isAddress = url.matches("https?://[^\\s/].*") || url.startsWith("${");
        if (!isAddress) throw new Fault("url", url, "an http or https URL, or a placeholder");
        var schema = RegistryEntry.object(document, "config_schema");
        if (schema != null) {
            for (var field : schema.properties()) check(field.getKey(), field.getValue());
        }
        checkValues("default_config", RegistryEntry.object(document, "default_config"));
        return new McpServer(id, document);
    }

    private static void check(String name, JsonNode rule) {
        var place = "config_schema." + name;
        checkHeader(place, name);
        if (!rule.isObject()) throw new Fault(place, rule.toString(), "a JSON object");
        RegistryEntry.checkFields(rule, RULE_FIELDS);
        var type = RegistryEntry.text(rule, "type");
        if (type != null && !List.of("string", "integer", "boolean").contains(type)) {
            throw new Fault(place + ".type", type, "one of string, integer, boolean");
        }
        if (rule.hasNonNull("default")) checkValue(place + ".default", rule.get("default"));
    }

    /** Refuses values that cannot be the value of a header. */
    static void checkValues(String place, @org.jspecify.annotations.Nullable JsonNode config) {
        if (config == null) return;
        for (var field : config.properties()) {
            var at = place + "." + field.getKey();
            checkHeader(at, field.getKey());
            checkValue(at, field.getValue());
        }
    }

    private static void checkValue(String place, JsonNode value) {
        boolean isPlain =
                value.isValueNode() && !value.asString("").matches("(?s).*[\\r\\n\\x00].*");
        if (!isPlain) {
            throw new Fault(place, value.toString(), "a text, number or boolean on one line");
        }
    }

    private static void checkHeader(String place, String name) {
        if (!name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}")) {
            throw new Fault(place, name, "named like an HTTP header");
        }
    }

    private boolean isRequired(String field) {
        return document.path("config_schema").path(field).path("required").asBoolean(false);
    }

    /** The server with this configuration over its defaults. */
    ObjectNode with(JsonNode config) {
        var headers = Json.object();
        for (var field : document.path("config_schema").properties()) {
            if (field.getValue().hasNonNull("default")) {
                headers.set(field.getKey(), text(field.getValue().get("default")));
            }
        }
        for (var values : List.of(document.path("default_config"), config)) {
            for (var field : values.properties()) {
                headers.remove(field.getKey());
                boolean isGiven = !field.getValue().isNull();
                if (isGiven) headers.set(field.getKey(), text(field.getValue()));
            }
        }
        var server = Json.object().put("type", "http");
        return server.put("url", document.path("url").asString()).set("headers", headers);
    }

    private static JsonNode text(JsonNode value) {
        return value.isString() ? value : Json.tree(value.toString());
    }

    /** The required fields that this server, as {@link #with} made it, has no value for. */
    List<String> missing(ObjectNode server, Predicate<String> hasValue) {
        var missing = new ArrayList<String>();
        for (var field : document.path("config_schema").propertyNames()) {
            if (!isRequired(field)) continue;
            var value = server.path("headers").path(field).asString("");
            if (value.isEmpty() || !hasValue.test(value)) missing.add(field);
        }
        return missing;
    }

    @Override
    public JsonNode summary() {
        return document;
    }
}
