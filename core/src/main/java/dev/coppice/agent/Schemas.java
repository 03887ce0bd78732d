package dev.coppice.agent;

import dev.coppice.kernel.BlueprintRefusal.Violation;
import dev.coppice.kernel.JsonText;

import java.util.List;

/** Holds JSON against a JSON Schema. */
public interface Schemas {
    List<Violation> violations(JsonText schema, JsonText value);

    /** What is wrong with the schema itself; empty when it can be used. */
    List<String> faults(JsonText schema);
}
