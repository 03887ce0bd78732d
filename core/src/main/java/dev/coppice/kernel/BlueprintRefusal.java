package dev.coppice.kernel;

import java.util.List;

/** What forbids something to a blueprint, or to what is started from it. */
public sealed interface BlueprintRefusal extends Refusal {
    record BlueprintUnknown(String name) implements BlueprintRefusal {
        @Override
        public String said() {
            return "Agent not found: " + name;
        }

        @Override
        public String advice() {
            return "List the blueprints with GET /agents or 'coppice blueprints'.";
        }
    }

    record BlueprintTaken(String name) implements BlueprintRefusal {
        @Override
        public String said() {
            return "Agent already exists: " + name;
        }

        @Override
        public String advice() {
            return "Change it with PATCH /agents/" + name + ", or choose another name.";
        }
    }

    record BlueprintInactive(String name) implements BlueprintRefusal {
        @Override
        public String said() {
            return "Agent is inactive: " + name;
        }

        @Override
        public String advice() {
            return "Activate it with PATCH /agents/" + name + "/status.";
        }
    }

    record BlueprintBuiltIn(String name) implements BlueprintRefusal {
        @Override
        public String said() {
            return "Agent " + name + " comes with Coppice and cannot be removed";
        }

        @Override
        public String advice() {
            return "Create one of the same name to take its place.";
        }
    }

    /** One thing wrong with parameters or a result, in the original's words. */
    record Violation(String path, String message, String schemaPath) {}

    record ParametersInvalid(String agent, List<Violation> violations, JsonText schema)
            implements BlueprintRefusal {
        public ParametersInvalid {
            violations = List.copyOf(violations);
        }

        @Override
        public String said() {
            var first = violations.getFirst();
            return "Parameter validation failed for agent %s: %s %s"
                    .formatted(agent, first.path(), first.message());
        }

        @Override
        public String advice() {
            return "Send parameters that fit the agent's parameters_schema.";
        }
    }

    record PlaceholderUnknown(String placeholder, String where) implements BlueprintRefusal {
        @Override
        public String said() {
            return "Nothing resolves ${%s} in %s".formatted(placeholder, where);
        }

        @Override
        public String advice() {
            return "Pass it, allow it (COPPICE_ENV_ALLOW for env), or write $${"
                    + placeholder
                    + "} to mean the text itself.";
        }
    }
}
