package dev.coppice.kernel;

import java.util.List;
import java.util.Locale;

/** Refusals about blueprints and the runs started from them. */
public sealed interface BlueprintRefusal extends Refusal {
    record BlueprintUnknown(String name) implements BlueprintRefusal {
        @Override
        public String said() {
            return "Agent not found: '%s'".formatted(name);
        }
    }

    record BlueprintTaken(String name) implements BlueprintRefusal {
        @Override
        public String said() {
            return "Agent already exists: '%s'".formatted(name);
        }
    }

    record BlueprintInactive(String name) implements BlueprintRefusal {
        @Override
        public String said() {
            return "Agent is inactive: '%s'".formatted(name);
        }
    }

    record BlueprintBuiltIn(String name) implements BlueprintRefusal {
        @Override
        public String said() {
            return "Agent '%s' comes with Coppice and cannot be removed".formatted(name);
        }
    }

    /** One violation of a JSON Schema, with the fields that clients read. */
    record Violation(String path, String message, String schemaPath) {}

    /** The presence of parameters in a request: older clients distinguish the two. */
    enum Presence {
        GIVEN,
        ABSENT
    }

    /** The owner of the schema that the parameters must fit. */
    enum Whose {
        AGENT,
        WAVE
    }

    record ParametersInvalid(
            Whose whose,
            String agent,
            List<Violation> violations,
            JsonText schema,
            Presence presence)
            implements BlueprintRefusal {
        public ParametersInvalid {
            violations = List.copyOf(violations);
        }

        @Override
        public String said() {
            var first = violations.getFirst();
            return "Parameter validation failed for %s '%s': at '%s': %s"
                    .formatted(
                            whose.name().toLowerCase(Locale.ROOT),
                            agent,
                            first.path(),
                            first.message());
        }
    }

    /** The kinds of things that a blueprint can refer to. */
    enum Registered {
        AGENT("Agent"),
        CAPABILITY("Capability"),
        SCRIPT("Script"),
        MCP_SERVER("MCP server");

        private final String said;

        Registered(String said) {
            this.said = said;
        }

        public String said() {
            return said;
        }
    }

    record EntryUnknown(Registered what, String name) implements BlueprintRefusal {
        @Override
        public String said() {
            return "%s not found: '%s'".formatted(what.said(), name);
        }
    }

    record EntryTaken(Registered what, String name) implements BlueprintRefusal {
        @Override
        public String said() {
            return "%s already exists: '%s'".formatted(what.said(), name);
        }
    }

    /** Blueprints or capabilities refer to the entry. */
    record EntryInUse(Registered what, String name, List<String> by) implements BlueprintRefusal {
        public EntryInUse {
            by = List.copyOf(by);
        }

        @Override
        public String said() {
            return "%s '%s' is referenced by %s"
                    .formatted(what.said(), name, String.join(", ", by));
        }
    }

    /** An entry refers to one that does not exist; {@code by} is the entry that refers to it. */
    record ReferenceUnknown(String by, Registered what, String name) implements BlueprintRefusal {
        @Override
        public String said() {
            return "%s '%s', to which '%s' refers, does not exist".formatted(what.said(), name, by);
        }
    }

    /** Two parts of a blueprint bring an MCP server of the same name. */
    record McpServerTwice(String agent, String server, String first, String second)
            implements BlueprintRefusal {
        @Override
        public String said() {
            return "Agent '%s' has two MCP servers named '%s': from %s and from %s"
                    .formatted(agent, server, first, second);
        }
    }

    /** An MCP server of the registry lacks required configuration. */
    record McpConfigMissing(String server, List<String> fields) implements BlueprintRefusal {
        public McpConfigMissing {
            fields = List.copyOf(fields);
        }

        @Override
        public String said() {
            return "MCP server '%s' has no value for the required configuration: %s"
                    .formatted(server, Refusal.quoted(fields));
        }
    }

    /** A procedural blueprint has no conversation to continue. */
    record ProceduralNotResumed(String agent) implements BlueprintRefusal {
        @Override
        public String said() {
            return "Agent '%s' is procedural: it is stateless and cannot be resumed"
                    .formatted(agent);
        }
    }

    /** A runner brings a blueprint under a name that another runner, or a file, has. */
    record RunnerBlueprintTaken(String agent, String by) implements BlueprintRefusal {
        @Override
        public String said() {
            return "Agent '%s' is already defined by '%s'".formatted(agent, by);
        }
    }

    /** A runner brought the blueprint, which is removed with the runner. */
    record BlueprintOfRunner(String agent, String runner) implements BlueprintRefusal {
        @Override
        public String said() {
            return "Agent '%s' belongs to runner '%s' and cannot be changed here"
                    .formatted(agent, runner);
        }
    }

    record PlaceholderUnknown(String placeholder, String where) implements BlueprintRefusal {
        @Override
        public String said() {
            return "Placeholder '${%s}' in %s has no value".formatted(placeholder, where);
        }
    }
}
