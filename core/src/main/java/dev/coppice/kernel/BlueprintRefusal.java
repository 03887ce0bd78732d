package dev.coppice.kernel;

import java.util.List;

/** Refusals about blueprints and the runs started from them. */
public sealed interface BlueprintRefusal extends Refusal {
    record BlueprintUnknown(String name) implements BlueprintRefusal {}

    record BlueprintTaken(String name) implements BlueprintRefusal {}

    record BlueprintInactive(String name) implements BlueprintRefusal {}

    record BlueprintBuiltIn(String name) implements BlueprintRefusal {}

    /** One violation of a JSON Schema, with the fields that the originals report. */
    record Violation(String path, String message, String schemaPath) {}

    record ParametersInvalid(String agent, List<Violation> violations, JsonText schema)
            implements BlueprintRefusal {
        public ParametersInvalid {
            violations = List.copyOf(violations);
        }
    }

    /** A registry of the originals has no such entry; {@code what} is the kind of entry. */
    record EntryUnknown(String what, String name) implements BlueprintRefusal {}

    record PlaceholderUnknown(String placeholder, String where) implements BlueprintRefusal {}
}
