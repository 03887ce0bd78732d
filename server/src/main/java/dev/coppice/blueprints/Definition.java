package dev.coppice.blueprints;

import dev.coppice.blueprint.Blueprint;
import dev.coppice.kernel.JsonText;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A blueprint with its whole document, including fields that no rule reads. The document is a text
 * while it is kept, because a tree takes many times as much; it is a tree while a request changes
 * it. A run stores the text.
 */
public final class Definition {
    private final Blueprint blueprint;
    private final @Nullable ObjectNode tree;
    private final @Nullable JsonText text;

    private Definition(Blueprint blueprint, @Nullable ObjectNode tree, @Nullable JsonText text) {
        this.blueprint = blueprint;
        this.tree = tree;
        this.text = text;
    }

    /** Takes over the tree, which the caller must not change any more. */
    static Definition of(Blueprint blueprint, JsonNode tree) {
        return new Definition(blueprint, (ObjectNode) tree, null);
    }

    /** The same definition in the form in which it is kept. */
    Definition asText() {
        return new Definition(blueprint, null, text());
    }

    public Blueprint blueprint() {
        return blueprint;
    }

    public String name() {
        return blueprint.name();
    }

    public JsonText text() {
        return text == null ? new JsonText(String.valueOf(tree)) : text;
    }

    /** The document as a tree of its own, which the caller may change. */
    public ObjectNode copy() {
        return tree == null ? (ObjectNode) Json.read(String.valueOf(text)) : tree.deepCopy();
    }
}
