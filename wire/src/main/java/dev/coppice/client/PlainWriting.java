package dev.coppice.client;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/**
 * Writes a tree as JSON if it has nothing but texts, whole numbers, constants, lists and objects,
 * as the mapper would: it takes a command ten milliseconds before its first character.
 */
final class PlainWriting {
    private final StringBuilder text = new StringBuilder();

    private PlainWriting() {}

    /** The tree as JSON; null if the mapper has to write it. */
    static @Nullable String of(JsonNode value) {
        var writing = new PlainWriting();
        return writing.write(value) ? writing.text.toString() : null;
    }

    private boolean write(JsonNode value) {
        if (value.isString()) return string(value.asString());
        if (value.isNull()) {
            text.append("null");
            return true;
        }
        if (value.isBoolean() || value.isInt() || value.isLong()) {
            text.append(value.asString());
            return true;
        }
        if (value.isObject()) return object(value);
        return value.isArray() && array(value);
    }

    private boolean object(JsonNode value) {
        char before = '{';
        for (var field : value.properties()) {
            text.append(before);
            before = ',';
            if (!string(field.getKey())) return false;
            text.append(':');
            if (!write(field.getValue())) return false;
        }
        text.append(before == '{' ? "{}" : "}");
        return true;
    }

    private boolean array(JsonNode value) {
        char before = '[';
        for (var item : value) {
            text.append(before);
            before = ',';
            if (!write(item)) return false;
        }
        text.append(before == '[' ? "[]" : "]");
        return true;
    }

    /** Controls and surrogates are left to the mapper. */
    private boolean string(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char each = value.charAt(i);
            if (Character.isSurrogate(each)) return false;
            if (each == '\n') {
                text.append("\\n");
            } else if (each < ' ') {
                return false;
            } else {
                if (each == '"' || each == '\\') text.append('\\');
                text.append(each);
            }
        }
        text.append('"');
        return true;
    }
}
