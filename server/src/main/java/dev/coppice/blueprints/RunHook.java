package dev.coppice.blueprints;

import dev.coppice.agent.BlueprintName;
import dev.coppice.registry.Fault;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Checks the hooks of a blueprint: blueprints that run before and after each of its runs. */
final class RunHook {
    private static final String FIELD = "hooks";
    private static final int SECONDS_MAX = 24 * 60 * 60;

    private RunHook() {}

    static void check(JsonNode document) {
        var hooks = Entry.object(document, FIELD);
        if (hooks == null) return;
        Entry.checkFields(hooks, List.of("on_run_start", "on_run_finish"));
        for (var hook : hooks.properties()) {
            var place = FIELD + "." + hook.getKey();
            if (Entry.object(hooks, hook.getKey()) != null) check(place, hook.getValue());
        }
    }

    private static void check(String place, JsonNode hook) {
        Entry.checkFields(hook, List.of("type", "agent_name", "on_error", "timeout_seconds"));
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
