package dev.coppice.operations.registry;

import dev.coppice.blueprints.RegistryEntry;
import dev.coppice.kernel.BlueprintRefusal.Registered;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.operations.Given;
import dev.coppice.registry.Fault;
import dev.coppice.registry.Layout;
import dev.coppice.registry.Registry;

import tools.jackson.databind.JsonNode;

import java.util.Optional;
import java.util.function.Function;

/** A registry, the reader of its documents, and the check for what an entry lacks. */
record Catalog<T extends RegistryEntry>(
        Registered what,
        Layout layout,
        Registry<T> registry,
        Function<JsonNode, T> read,
        Function<T, Optional<Refusal>> lacking) {

    /** The entry of a document that a caller sent. */
    T checked(JsonNode document) {
        int size = Bounds.bytesOf(document.toString());
        if (size > Bounds.BLUEPRINT_BYTES_MAX) {
            throw new Rejected(
                    new RequestRefusal.TooLarge(what.said(), size, Bounds.BLUEPRINT_BYTES_MAX));
        }
        T entry;
        try {
            entry = read.apply(document);
        } catch (Fault e) {
            throw Given.bad(e.field(), e.value(), e.rule());
        }
        lacking.apply(entry)
                .ifPresent(refusal -> {
                    throw new Rejected(refusal);
                });
        return entry;
    }
}
