package dev.coppice.cli.engine;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

/** Writes JSON as YAML. Texts are quoted as in JSON, which is YAML too. */
final class Yaml {
    private final StringBuilder text = new StringBuilder();

    private Yaml() {}

    static String of(JsonNode value) {
        var yaml = new Yaml();
        if (isFlat(value)) return value + "\n";
        yaml.block(value, 0);
        return yaml.text.toString();
    }

    private static boolean isFlat(JsonNode value) {
        return value.isValueNode() || value.isEmpty();
    }

    private void block(JsonNode value, int indent) {
        if (value.isArray()) {
            for (var item : value) {
                text.append(" ".repeat(indent)).append("- ");
                if (isFlat(item)) text.append(item).append('\n');
                else nested(item, indent + 2);
            }
            return;
        }
        for (var field : value.properties()) {
            text.append(" ".repeat(indent));
            entry(field.getKey(), field.getValue(), indent);
        }
    }

    private void entry(String name, JsonNode value, int indent) {
        boolean isPlain = name.matches("[A-Za-z_][A-Za-z0-9_-]*");
        text.append(isPlain ? name : quoted(name)).append(':');
        if (isFlat(value)) {
            text.append(' ').append(value).append('\n');
        } else {
            text.append('\n');
            block(value, indent + 2);
        }
    }

    private static String quoted(String name) {
        return Json.write(name);
    }

    /** A block behind the sign of an item: its first line goes on in this one. */
    private void nested(JsonNode value, int indent) {
        int from = text.length();
        block(value, indent);
        text.delete(from, from + indent);
    }
}
