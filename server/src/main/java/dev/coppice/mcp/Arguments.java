package dev.coppice.mcp;

import dev.coppice.kernel.RequestRefusal;
import dev.coppice.web.Rejected;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a tool was called with; nothing that its schema does not name gets through. */
record Arguments(Map<String, String> values) {
    Arguments {
        values = Map.copyOf(values);
    }

    static Arguments read(Schema schema, JsonNode given) {
        if (!given.isObject()) throw unfit("arguments", given, "an object");
        var values = new LinkedHashMap<String, String>();
        for (var argument : given.properties()) {
            var field = schema.properties.get(argument.getKey());
            if (field == null) {
                throw unfit("arguments", argument.getKey(), "of " + schema.names());
            }
            var value = argument.getValue();
            if (value.isNull()) continue;
            boolean isFlag = "boolean".equals(Json.text(field, "type"));
            if (isFlag ? !value.isBoolean() : !value.isString()) {
                throw unfit(argument.getKey(), value, isFlag ? "true or false" : "a text");
            }
            // Some fill in what they have nothing to say in.
            if (!value.asString().isBlank()) values.put(argument.getKey(), value.asString());
        }
        if (values.containsKey("session_id") && values.containsKey("session_name")) {
            var rule = "left out where there is a session_id";
            throw unfit("session_name", String.valueOf(values.get("session_name")), rule);
        }
        return new Arguments(values);
    }

    @Nullable String text(String name) {
        return values.get(name);
    }

    /** One that must be there. */
    String need(String name) {
        var value = values.get(name);
        if (value == null || value.isBlank()) throw unfit(name, "", "given");
        return value;
    }

    Arguments with(String name, String value) {
        var more = new LinkedHashMap<>(values);
        more.put(name, value);
        return new Arguments(more);
    }

    private static Rejected unfit(String name, Object value, String rule) {
        return new Rejected(new RequestRefusal.BadValue(name, String.valueOf(value), rule));
    }

    /** What a tool takes, as JSON Schema. */
    static final class Schema {
        private final ObjectNode schema = Json.object().put("type", "object");
        private final ObjectNode properties = schema.putObject("properties");

        Schema() {
            schema.put("additionalProperties", false);
        }

        Schema text(String name, String meaning) {
            properties.putObject(name).put("type", "string").put("description", meaning);
            return this;
        }

        Schema flag(String name, boolean absent, String meaning) {
            properties
                    .putObject(name)
                    .put("type", "boolean")
                    .put("default", absent)
                    .put("description", meaning);
            return this;
        }

        Schema required(String name) {
            schema.withArray("required").add(name);
            return this;
        }

        Collection<String> names() {
            return properties.propertyNames();
        }

        ObjectNode shown() {
            return schema.deepCopy();
        }
    }
}
