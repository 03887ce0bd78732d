package dev.coppice.blueprint;

import dev.coppice.kernel.Demands;
import dev.coppice.kernel.JsonText;
import dev.coppice.run.Task;
import dev.coppice.word.BlueprintStatus;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** A named definition that sessions start from, with the fields of its document that are read. */
public record Blueprint(
        String name,
        Kind kind,
        BlueprintStatus standing,
        Program program,
        Contract contract,
        References references,
        Set<String> tags,
        Demands demands,
        Task.Terms terms) {
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
     * texts of its MCP servers, each by its place in the document. A procedural one is a script or
     * a runner's own command, and has the parameters as its arguments.
     */
    public record Program(
            boolean isProcedural,
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

    /** The entries of registries that it names, besides its script. */
    public record References(List<String> capabilities, List<String> mcpServers) {
        public References {
            capabilities = List.copyOf(capabilities);
            mcpServers = List.copyOf(mcpServers);
        }
    }
}
