package dev.coppice.blueprints;

import dev.coppice.blueprint.Blueprint;
import dev.coppice.blueprint.BlueprintName;
import dev.coppice.kernel.Demands;
import dev.coppice.kernel.JsonText;
import dev.coppice.registry.Fault;
import dev.coppice.run.Task;
import dev.coppice.wire.Json;
import dev.coppice.wire.Length;
import dev.coppice.wire.Shape;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.Spelling;
import dev.coppice.word.BlueprintStatus;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads and checks the document of a blueprint. Unknown fields are preserved. */
public final class BlueprintText {
    private static final int COMMAND_WORDS_MAX = 256;
    private static final List<String> STOP_SIGNALS =
            List.of("HUP", "INT", "QUIT", "USR1", "USR2", "TERM");

    private static final Set<String> FIELDS =
            Set.of(
                    "account",
                    "allowed_tools",
                    "capabilities",
                    "command",
                    "demands",
                    "description",
                    "disallowed_tools",
                    "env",
                    "env_allow",
                    "hooks",
                    "kind",
                    "lifetime_max",
                    "mcp_servers",
                    "model",
                    "name",
                    "output_schema",
                    "parameters_schema",
                    "permission_mode",
                    "protocol",
                    "report_reserve",
                    "sandbox",
                    "script",
                    "silence_max",
                    "skills",
                    "status",
                    "stop_signal",
                    "system_prompt",
                    "tags",
                    "type",
                    "usage",
                    "worktree");

    private static final String PROCEDURAL = "procedural";

    /** The maximum silence of a procedural run whose blueprint sets none. */
    private static final Duration PROCEDURAL_SILENCE = Duration.ofMinutes(5);

    private BlueprintText() {}

    /** Takes over the tree, which the caller must not change any more. */
    public static Definition read(JsonNode document) {
        var given = Json.text(document, "name");
        var name = given == null ? "" : given;
        if (!BlueprintName.isValid(name)) throw new Fault("name", name, BlueprintName.RULE);
        var terms = terms(document);
        checkTerms(terms);
        checkStopSignal(document);
        ResultUsage.check(document);
        var kind = kind(document);
        var command = texts(document, "command");
        boolean needsCommand = kind == Blueprint.Kind.COMMAND || kind == Blueprint.Kind.ACP;
        if (needsCommand && command.isEmpty()) {
            throw new Fault("command", "null", "an array of at least one string");
        }
        if (kind == Blueprint.Kind.PROCEDURAL) {
            var script = Json.text(document, "script");
            boolean isName = script != null && BlueprintName.isValid(script);
            if (!isName) {
                var rule = "the name of a registered script; use 'command' for another program";
                throw new Fault("script", String.valueOf(script), rule);
            }
        }
        var capabilities = texts(document, "capabilities");
        RunHook.check(document);
        checkOptions(document);
        var blueprint =
                new Blueprint(
                        name,
                        kind,
                        "inactive".equals(Json.text(document, "status"))
                                ? BlueprintStatus.INACTIVE
                                : BlueprintStatus.ACTIVE,
                        new Blueprint.Program(
                                isProcedural(document),
                                command,
                                env(document),
                                Json.text(document, "system_prompt"),
                                Json.text(document, "script"),
                                McpServerTexts.of(document.get("mcp_servers"))),
                        new Blueprint.Contract(
                                schema(document, "parameters_schema"),
                                schema(document, "output_schema")),
                        new Blueprint.References(capabilities, servers(document)),
                        Set.copyOf(texts(document, "tags")),
                        demands(document.get("demands")),
                        terms);
        return Definition.of(blueprint, document);
    }

    /** The MCP servers of the registry to which a document refers. */
    static List<String> servers(JsonNode document) {
        return document.path("mcp_servers")
                .valueStream()
                .filter(server -> server.has("ref"))
                .map(server -> server.path("ref").asString(""))
                .toList();
    }

    /** Refuses a field that is probably misspelt; other unknown fields belong to the author. */
    public static void checkSpelling(JsonNode document) {
        for (var field : document.propertyNames()) {
            if (FIELDS.contains(field)) continue;
            for (var known : FIELDS) {
                if (document.has(known) || !Spelling.isNear(field, known)) continue;
                throw new Fault(
                        field, "a field", "spelt '%s', or named otherwise".formatted(known));
            }
        }
    }

    /**
     * The maximum silence of a run, the maximum age of a session, the account and hooks of the
     * runs.
     */
    private static Task.Terms terms(JsonNode document) {
        var silence = length(document, "silence_max");
        return new Task.Terms(
                silence == null && isProcedural(document) ? PROCEDURAL_SILENCE : silence,
                length(document, "lifetime_max"),
                Json.text(document, "account"),
                RunHook.terms(document));
    }

    /** True if the program can correct its result after it is told the error. */
    public static boolean canBeCorrected(JsonNode document) {
        return switch (kind(document)) {
            case CLAUDE_CODE, CODEX, ACP, COMMAND -> true;
            case SCRIPTED, PROCEDURAL -> false;
        };
    }

    /** True if the program can receive a message within a turn. */
    public static boolean canBeSteered(JsonNode document) {
        return switch (kind(document)) {
            case CLAUDE_CODE -> true;
            case CODEX -> !"exec".equals(Json.text(document, "protocol"));
            case COMMAND, SCRIPTED, ACP, PROCEDURAL -> false;
        };
    }

    /** The type of executor that an unfenced runner must have for it. */
    public static String executorType(Blueprint blueprint) {
        return blueprint.program().isProcedural() ? PROCEDURAL : "autonomous";
    }

    static boolean isProcedural(JsonNode document) {
        return PROCEDURAL.equals(Json.text(document, "type"))
                || PROCEDURAL.equals(Json.text(document, "kind"));
    }

    public static @Nullable JsonText outputSchema(JsonNode document) {
        return schema(document, "output_schema");
    }

    private static @Nullable Duration length(JsonNode document, String field) {
        var given = Json.text(document, field);
        if (given == null) return null;
        var read = Length.read(given);
        if (read == null || read.isZero()) throw new Fault(field, given, Length.RULE);
        return read;
    }

    private static void checkStopSignal(JsonNode document) {
        var given = document.get("stop_signal");
        if (given == null || given.isNull()) return;
        if (!given.isString() || !STOP_SIGNALS.contains(given.asString())) {
            throw new Fault(
                    "stop_signal", given.toString(), "one of " + String.join(", ", STOP_SIGNALS));
        }
    }

    private static void checkTerms(Task.Terms terms) {
        var account = terms.account();
        if (account != null && account.length() > Sizes.LABEL_CHARS_MAX) {
            throw new Fault(
                    "account", account, "at most %d characters".formatted(Sizes.LABEL_CHARS_MAX));
        }
    }

    private static Blueprint.Kind kind(JsonNode document) {
        var given = Json.text(document, "kind");
        if (given == null) {
            if (document.hasNonNull("command")) return Blueprint.Kind.COMMAND;
            return isProcedural(document) ? Blueprint.Kind.PROCEDURAL : Blueprint.Kind.SCRIPTED;
        }
        for (var kind : Blueprint.Kind.values()) if (word(kind).equals(given)) return kind;
        var all = Stream.of(Blueprint.Kind.values()).map(BlueprintText::word);
        throw new Fault("kind", given, "one of " + all.collect(Collectors.joining(", ")));
    }

    /** The kind as blueprints write it. */
    public static String word(Blueprint.Kind kind) {
        return Shape.word(kind).replace('_', '-');
    }

    /** The options of agent programs. */
    private static void checkOptions(JsonNode document) {
        var tree = document.get("worktree");
        if (tree != null && !tree.isNull() && !tree.isBoolean()) {
            throw new Fault("worktree", tree.toString(), "true or false");
        }
        var reserve = document.get("report_reserve");
        boolean isShare = reserve == null || reserve.isNull() || isPercent(reserve);
        if (!isShare)
            throw new Fault("report_reserve", reserve.toString(), "from \"0%\" to \"90%\"");
        for (var list : List.of("allowed_tools", "disallowed_tools", "env_allow")) {
            texts(document, list);
        }
        for (var text : List.of("model", "permission_mode", "protocol", "sandbox")) {
            var given = document.get(text);
            if (given == null || given.isNull()) continue;
            if (!given.isString() || given.asString().startsWith("-")) {
                throw new Fault(text, given.toString(), "a text that does not begin with '-'");
            }
        }
    }

    private static boolean isPercent(JsonNode value) {
        return value.isString() && value.asString().matches("(\\d|[1-8]\\d|90)%");
    }

    private static List<String> texts(JsonNode document, String field) {
        var node = document.get(field);
        if (node == null || node.isNull()) return List.of();
        if (!node.isArray() || node.size() > COMMAND_WORDS_MAX) {
            throw new Fault(
                    field,
                    node.toString(),
                    "an array of at most %d strings".formatted(COMMAND_WORDS_MAX));
        }
        var words = new ArrayList<String>();
        for (var word : node) {
            if (!word.isString()) throw new Fault(field, word.toString(), "an array of strings");
            words.add(word.asString());
        }
        return words;
    }

    private static Map<String, String> env(JsonNode document) {
        var node = document.get("env");
        if (node == null || node.isNull()) return Map.of();
        if (!node.isObject())
            throw new Fault("env", node.toString(), "an object whose values are strings");
        var env = new LinkedHashMap<String, String>();
        node.properties()
                .forEach(field -> {
                    var name = field.getKey();
                    if (!field.getValue().isString() || name.isEmpty() || name.contains("=")) {
                        throw new Fault(
                                "env." + name,
                                field.getValue().toString(),
                                "a string, with a name that is not empty and has no '='");
                    }
                    env.put(name, field.getValue().asString());
                });
        return env;
    }

    private static @Nullable JsonText schema(JsonNode document, String field) {
        var node = document.get(field);
        if (node == null || node.isNull()) return null;
        if (!node.isObject()) throw new Fault(field, node.toString(), "a JSON Schema object");
        return new JsonText(node.toString());
    }

    static Demands demands(@Nullable JsonNode node) {
        if (node == null || node.isNull()) return Demands.NONE;
        if (!node.isObject()) throw new Fault("demands", node.toString(), "an object");
        return new Demands(
                Json.text(node, "hostname"),
                Json.text(node, "project_dir"),
                Json.text(node, "executor_profile"),
                Json.text(node, "executor_type"),
                new TreeSet<>(texts(node, "tags")));
    }
}
