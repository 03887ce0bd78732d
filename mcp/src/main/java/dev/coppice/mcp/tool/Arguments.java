package dev.coppice.mcp.tool;

import dev.coppice.request.Inputs;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.Map;

/** The arguments of a tool call, under the names of the fields of its operation. */
record Arguments(Map<String, JsonNode> values) implements Inputs.Source {
    static final String SESSION_ID = "session_id";
    static final String SESSION_NAME = "session_name";

    public Arguments {
        values = Map.copyOf(values);
    }

    @Override
    public @Nullable JsonNode value(Shape.Part part) {
        return values.get(part.name());
    }

    @Nullable String text(String name) {
        var value = values.get(name);
        return value == null ? null : value.asString();
    }

    Arguments with(String name, Object value) {
        var more = new LinkedHashMap<>(values);
        more.put(name, Json.tree(value));
        return new Arguments(more);
    }
}
