package dev.coppice.operations;

import dev.coppice.kernel.JsonText;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/**
 * A JSON object, and the text from which it was parsed. Without a text, it is printed when the
 * store needs one. The object is never changed.
 */
record Parsed(JsonNode tree, @Nullable JsonText source) {
    static final Parsed EMPTY = new Parsed(Json.object(), JsonText.EMPTY_OBJECT);

    static Parsed of(@Nullable JsonNode tree) {
        return tree == null ? EMPTY : new Parsed(tree, null);
    }

    static Parsed read(JsonText text) {
        return text.equals(JsonText.EMPTY_OBJECT)
                ? EMPTY
                : new Parsed(Json.read(text.value()), text);
    }

    JsonText text() {
        return source == null ? new JsonText(tree.toString()) : source;
    }
}
