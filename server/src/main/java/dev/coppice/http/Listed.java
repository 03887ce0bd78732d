package dev.coppice.http;

import dev.coppice.kernel.Slice;
import dev.coppice.wire.Json;

import tools.jackson.databind.node.ObjectNode;

import java.util.function.Function;

/** A page of a list under the original's name for it, with the cursor of the next page. */
final class Listed {
    private Listed() {}

    static <T> ObjectNode as(String name, Slice<T> slice, Function<T, ?> view) {
        var body = Json.object();
        body.set(name, Json.tree(slice.items().stream().map(view).toList()));
        return body.put("next", slice.next());
    }
}
