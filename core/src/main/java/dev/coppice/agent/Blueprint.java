package dev.coppice.agent;

import dev.coppice.kernel.JsonText;
import dev.coppice.run.Demands;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A named definition that sessions start from. {@code definition} is the whole document, with what
 * the rules do not look at.
 */
public record Blueprint(
        String name,
        Kind kind,
        Standing standing,
        Program program,
        Contract contract,
        Set<String> tags,
        Demands demands,
        JsonText definition) {
    /** What a run without a named blueprint starts from: it needs nothing but Coppice itself. */
    public static final String DEFAULT = "scripted";

    public Blueprint {
        tags = Set.copyOf(tags);
    }

    public enum Kind {
        /** Any program: the prompt on standard input. */
        COMMAND,
        /** The agent that plays a script; for tests, tours and load. */
        SCRIPTED
    }

    public enum Standing {
        ACTIVE,
        INACTIVE
    }

    /** What is started. Every text in it may hold placeholders. */
    public record Program(
            List<String> command,
            Map<String, String> env,
            @Nullable String systemPrompt,
            @Nullable String script) {
        public Program {
            command = List.copyOf(command);
            env = Map.copyOf(env);
        }
    }

    /** What goes in and what comes out, as JSON Schemas. */
    public record Contract(@Nullable JsonText parameters, @Nullable JsonText output) {}
}
