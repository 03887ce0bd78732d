package dev.coppice.blueprint;

import dev.coppice.kernel.Demands;
import dev.coppice.kernel.JsonText;
import dev.coppice.word.BlueprintStatus;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A named definition that sessions start from. {@code definition} is the whole document, including
 * fields that no rule reads.
 */
public record Blueprint(
        String name,
        Kind kind,
        BlueprintStatus standing,
        Program program,
        Contract contract,
        Set<String> tags,
        Demands demands,
        JsonText definition) {
    /** The blueprint of a run that names none. It needs no program besides Coppice. */
    public static final String DEFAULT = "scripted";

    public Blueprint {
        tags = Set.copyOf(tags);
    }

    public enum Kind {
        /** Any program; it reads the prompt from standard input. */
        COMMAND,
        /** The built-in agent that plays a script, for tests, tours and load. */
        SCRIPTED,
        /** Claude Code, by its stream of JSON. */
        CLAUDE_CODE,
        /** Codex, by its app-server or by {@code codex exec}. */
        CODEX,
        /** Any agent that speaks the Agent Client Protocol. */
        ACP,
        /** A script of the registry, with the parameters as its arguments. */
        PROCEDURAL
    }

    /**
     * The program to start. Every text in it may contain placeholders. {@code mcpServers} has the
     * texts of its MCP servers, each by its place in the document.
     */
    public record Program(
            List<String> command,
            Map<String, String> env,
            @Nullable String systemPrompt,
            @Nullable String script,
            Map<String, String> mcpServers) {
        public Program {
            command = List.copyOf(command);
            env = Map.copyOf(env);
            mcpServers = Map.copyOf(mcpServers);
        }
    }

    /** The JSON Schemas of parameters and output. */
    public record Contract(@Nullable JsonText parameters, @Nullable JsonText output) {}
}
