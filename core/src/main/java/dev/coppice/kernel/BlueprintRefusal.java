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

    /** Whether a request has parameters at all: the original coordinator requires the field. */
    enum Presence {
        GIVEN,
        ABSENT
    }

    record ParametersInvalid(
            String agent, List<Violation> violations, JsonText schema, Presence presence)
            implements BlueprintRefusal {
        public ParametersInvalid {
            violations = List.copyOf(violations);
        }
    }

    /** The kinds of things that a blueprint can refer to. */
    enum Registered {
        AGENT("Agent", "/agents"),
        CAPABILITY("Capability", "/capabilities"),
        SCRIPT("Script", "/scripts"),
        MCP_SERVER("MCP server", "/mcp-servers");

        private final String said;
        private final String path;

        Registered(String said, String path) {
            this.said = said;
            this.path = path;
        }

        public String said() {
            return said;
        }

        public String path() {
            return path;
        }
    }

    record EntryUnknown(Registered what, String name) implements BlueprintRefusal {}

    record EntryTaken(Registered what, String name) implements BlueprintRefusal {}

    /** Blueprints or capabilities refer to the entry. */
    record EntryInUse(Registered what, String name, List<String> by) implements BlueprintRefusal {
        public EntryInUse {
            by = List.copyOf(by);
        }
    }

    /** An entry refers to one that does not exist; {@code by} is the entry that refers to it. */
    record ReferenceUnknown(String by, Registered what, String name) implements BlueprintRefusal {}

    /** Two parts of a blueprint bring an MCP server of the same name. */
    record McpServerTwice(String agent, String server, String first, String second)
            implements BlueprintRefusal {}

    /** An MCP server of the registry lacks required configuration. */
    record McpConfigMissing(String server, List<String> fields) implements BlueprintRefusal {
        public McpConfigMissing {
            fields = List.copyOf(fields);
        }
    }

    /** A procedural blueprint has no conversation that could go on. */
    record ProceduralNotResumed(String agent) implements BlueprintRefusal {}

    /** A runner brings a blueprint under a name that another runner, or a file, has. */
    record RunnerBlueprintTaken(String agent, String by) implements BlueprintRefusal {}

    /** A runner brought the blueprint, and it goes when the runner does. */
    record BlueprintOfRunner(String agent, String runner) implements BlueprintRefusal {}

    record PlaceholderUnknown(String placeholder, String where) implements BlueprintRefusal {}
}
