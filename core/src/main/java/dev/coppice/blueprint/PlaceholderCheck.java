package dev.coppice.blueprint;

import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.Refusal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the first placeholder of a blueprint that has no value, before a run is queued. */
public final class PlaceholderCheck {
    /** The directory in which the runner puts the scripts of a run's capabilities. */
    public static final String SCRIPTS = "runner.scripts";

    /** Names that the runner or the coordinator resolves for every run. */
    public static final Set<String> ALWAYS =
            Set.of(
                    "AGENT_SESSION_NAME",
                    "AGENT_SESSION_ID",
                    "runtime.session_id",
                    "runtime.session_name",
                    "runtime.run_id",
                    "runner.mcp_config",
                    SCRIPTS,
                    "runner.orchestrator_mcp_url");

    /** Begins the names that only the runner resolves. */
    public static final String OF_RUNNER = "runner.";

    private PlaceholderCheck() {}

    /** {@code known} holds the names that this request resolves, such as {@code params.X}. */
    public static Optional<Refusal> unresolved(Blueprint blueprint, Set<String> known) {
        for (var text : texts(blueprint).entrySet()) {
            for (var name : Placeholders.in(text.getValue())) {
                if (!isKnown(name, known)) {
                    var where = "'%s' of agent '%s'".formatted(text.getKey(), blueprint.name());
                    return Optional.of(new BlueprintRefusal.PlaceholderUnknown(name, where));
                }
            }
        }
        return Optional.empty();
    }

    /** True if this request resolves every placeholder of a text. */
    public static boolean isResolved(String text, Set<String> known) {
        return Placeholders.in(text).stream().allMatch(name -> isKnown(name, known));
    }

    private static boolean isKnown(String name, Set<String> known) {
        return ALWAYS.contains(name) || known.contains(name);
    }

    private static Map<String, String> texts(Blueprint blueprint) {
        var program = blueprint.program();
        var texts = new LinkedHashMap<String, String>();
        for (int i = 0; i < program.command().size(); i++) {
            texts.put("command[" + i + "]", program.command().get(i));
        }
        program.env().forEach((name, value) -> texts.put("env." + name, value));
        texts.putAll(program.mcpServers());
        if (program.systemPrompt() != null) texts.put("system_prompt", program.systemPrompt());
        if (program.script() != null) texts.put("script", program.script());
        return texts;
    }
}
