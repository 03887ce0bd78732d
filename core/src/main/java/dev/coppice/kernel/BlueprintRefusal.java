package dev.coppice.kernel;

import java.util.List;

/** What forbids something to a blueprint, or to what is started from it. */
public sealed interface BlueprintRefusal extends Refusal {
    record BlueprintUnknown(String name) implements BlueprintRefusal {}

    record BlueprintTaken(String name) implements BlueprintRefusal {}

    record BlueprintInactive(String name) implements BlueprintRefusal {}

    record BlueprintBuiltIn(String name) implements BlueprintRefusal {}

    /** One thing wrong with parameters or a result, in the original's words. */
    record Violation(String path, String message, String schemaPath) {}

    record ParametersInvalid(String agent, List<Violation> violations, JsonText schema)
            implements BlueprintRefusal {
        public ParametersInvalid {
            violations = List.copyOf(violations);
        }
    }

    record PlaceholderUnknown(String placeholder, String where) implements BlueprintRefusal {}
}
