package dev.coppice.blueprints;

import dev.coppice.blueprint.BlueprintName;
import dev.coppice.registry.Fault;
import dev.coppice.run.Task;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A hook of a blueprint: the blueprint that runs before or after each of its runs, the reaction to
 * its failure, and its time limit.
 */
public record RunHook(When when, String agent, OnError onError, Duration timeout) {
    private static final String FIELD = "hooks";
    private static final int SECONDS_MAX = 24 * 60 * 60;
    private static final int SECONDS = 300;

    /** The times at which a hook runs. */
    public enum When {
        ON_RUN_START,
        ON_RUN_FINISH
    }

    /** The effect of a failed hook on its run: the run starts, or it fails. */
    public enum OnError {
        CONTINUE,
        BLOCK
    }

    /** The hook of a checked document; empty if it has none at that time. */
    public static Optional<RunHook> of(JsonNode document, When when) {
        var hook = document.path(FIELD).path(Shape.word(when));
        if (!hook.isObject()) return Optional.empty();
        return Optional.of(
                new RunHook(
                        when,
                        hook.path("agent_name").asString(""),
                        hook.path("on_error").asString("").equals("block")
                                ? OnError.BLOCK
                                : OnError.CONTINUE,
                        Duration.ofSeconds(hook.path("timeout_seconds").asLong(SECONDS))));
    }

    /** The hooks of a checked document. */
    public static List<RunHook> all(JsonNode document) {
        return Stream.of(When.values()).flatMap(when -> of(document, when).stream()).toList();
    }

    static Task.Hooks terms(JsonNode document) {
        boolean isBefore = of(document, When.ON_RUN_START).isPresent();
        boolean isAfter = of(document, When.ON_RUN_FINISH).isPresent();
        if (isBefore) return isAfter ? Task.Hooks.BOTH : Task.Hooks.BEFORE;
        return isAfter ? Task.Hooks.AFTER : Task.Hooks.NONE;
    }

    /** The field with the name of its blueprint. */
    public String place() {
        return "%s.%s.agent_name".formatted(FIELD, Shape.word(when));
    }

    /** The name under which clients know it. */
    public String tool() {
        return "hook:%s:%s".formatted(Shape.word(when), agent);
    }

    static void check(JsonNode document) {
        var hooks = RegistryEntry.object(document, FIELD);
        if (hooks == null) return;
        RegistryEntry.checkFields(hooks, List.of("on_run_start", "on_run_finish"));
        for (var hook : hooks.properties()) {
            var place = FIELD + "." + hook.getKey();
            if (RegistryEntry.object(hooks, hook.getKey()) != null) check(place, hook.getValue());
        }
    }

    private static void check(String place, JsonNode hook) {
        RegistryEntry.checkFields(
                hook, List.of("type", "agent_name", "on_error", "timeout_seconds"));
        var type = Json.text(hook, "type");
        if (type != null && !type.equals("agent")) throw new Fault(place + ".type", type, "agent");
        var agent = Json.textIfAny(hook, "agent_name");
        if (agent == null || !BlueprintName.isValid(agent)) {
            throw new Fault(
                    place + ".agent_name", String.valueOf(agent), "the name of a blueprint");
        }
        var onError = hook.path("on_error").asString("continue");
        if (!List.of("continue", "block").contains(onError)) {
            throw new Fault(place + ".on_error", onError, "one of continue, block");
        }
        var seconds = hook.path("timeout_seconds");
        boolean isLength =
                seconds.isMissingNode()
                        || seconds.isNull()
                        || (seconds.isIntegralNumber()
                                && seconds.asLong() >= 1
                                && seconds.asLong() <= SECONDS_MAX);
        if (!isLength) {
            var rule = "a whole number from 1 to %d".formatted(SECONDS_MAX);
            throw new Fault(place + ".timeout_seconds", seconds.toString(), rule);
        }
    }
}
