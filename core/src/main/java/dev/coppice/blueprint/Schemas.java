package dev.coppice.blueprint;

import dev.coppice.kernel.BlueprintRefusal.Violation;
import dev.coppice.kernel.JsonText;

import java.util.List;

/** Validates JSON against a JSON Schema. */
public interface Schemas {
    List<Violation> violations(JsonText schema, JsonText value);

    /** Returns the errors of the schema itself; empty if it is usable. */
    List<String> faults(JsonText schema);
}
