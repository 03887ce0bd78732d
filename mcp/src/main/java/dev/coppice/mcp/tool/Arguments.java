package dev.coppice.mcp.tool;

import dev.coppice.kernel.RequestRefusal;
import dev.coppice.operation.Inputs;
import dev.coppice.operation.Rejected;
import dev.coppice.wire.Json;
import dev.coppice.wire.Length;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The arguments of a tool call. Fields that are not in the tool's schema are rejected. */
record Arguments(Map<String, JsonNode> values) implements Inputs.Source {
    static final String SESSION_ID = "session_id";
    static final String SESSION_NAME = "session_name";

    public Arguments {
        values = Map.copyOf(values);
    }

    static Arguments read(Tool<?, ?> tool, JsonNode given) {
        if (!given.isObject()) throw unfit("arguments", given, "an object");
        var parts = offered(tool);
        boolean named = isNamed(tool);
        var values = new LinkedHashMap<String, JsonNode>();
        for (var argument : given.properties()) {
            var name = argument.getKey();
            var part = parts.stream().filter(p -> shown(tool, p).equals(name)).findFirst();
            boolean isName = named && name.equals(tool.listing().shown(SESSION_NAME));
            if (part.isEmpty() && !isName) {
                var names = new ArrayList<>(parts.stream().map(p -> shown(tool, p)).toList());
                if (named) names.add(tool.listing().shown(SESSION_NAME));
                throw unfit("arguments", name, "one of " + String.join(", ", names));
            }
            var value = argument.getValue();
            // Some clients send empty values for absent arguments.
            if (value.isNull() || (value.isString() && value.asString().isBlank())) continue;
            var type = part.isPresent() ? part.get().type() : String.class;
            if (isFlag(type) && !value.isBoolean()) throw unfit(name, value, "true or false");
            if (isText(type) && !value.isString()) throw unfit(name, value, "a text");
            values.put(isName ? SESSION_NAME : part.orElseThrow().name(), value);
        }
        if (named && values.containsKey(SESSION_ID) && values.containsKey(SESSION_NAME)) {
            var rule = "omitted if %s is sent".formatted(tool.listing().shown(SESSION_ID));
            throw unfit(
                    tool.listing().shown(SESSION_NAME), values.get(SESSION_NAME).asString(), rule);
        }
        tool.listing().fixed().forEach((name, value) -> values.put(name, Json.tree(value)));
        return new Arguments(values);
    }

    private static String shown(Tool<?, ?> tool, Shape.Part part) {
        return tool.listing().shown(part.name());
    }

    /** The fields that callers of the tool may send. */
    static List<Shape.Part> offered(Tool<?, ?> tool) {
        return Shape.of(tool.operation().call().input()).flat().stream()
                .filter(part -> !tool.listing().hidden().contains(part.name()))
                .toList();
    }

    /** True if the tool takes the name of its session in place of the id. */
    static boolean isNamed(Tool<?, ?> tool) {
        var names = offered(tool).stream().map(Shape.Part::name).toList();
        return names.contains(SESSION_ID) && !names.contains(SESSION_NAME);
    }

    private static boolean isFlag(Type type) {
        return type == boolean.class || type == Boolean.class;
    }

    private static boolean isText(Type type) {
        return type == String.class
                || type == Length.class
                || (type instanceof Class<?> c && c.isEnum());
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

    private static Rejected unfit(String name, Object value, String rule) {
        return new Rejected(new RequestRefusal.BadValue(name, String.valueOf(value), rule));
    }
}
