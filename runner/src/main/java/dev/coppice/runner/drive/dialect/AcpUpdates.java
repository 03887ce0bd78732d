package dev.coppice.runner.drive.dialect;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The updates with which an agent of the protocol reports its turn and its subagents. */
final class AcpUpdates {
    /** Updates that carry nothing new. */
    private static final Set<String> SILENT =
            Set.of(
                    "agent_thought_chunk",
                    "available_commands_update",
                    "config_option_update",
                    "current_mode_update",
                    "session_info_update",
                    "user_message_chunk");

    private final Upstream up;
    private final Unknown unknown;
    private final Map<String, AcpSpeech> speeches = new HashMap<>();
    private final Map<String, BigDecimal> dollars = new HashMap<>();
    private final Set<String> known = new HashSet<>();
    private final Set<String> cancellable = new HashSet<>();
    private final Set<String> living = new LinkedHashSet<>();

    AcpUpdates(Upstream up, Unknown unknown) {
        this.up = up;
        this.unknown = unknown;
    }

    boolean isCancellable(String agent) {
        return cancellable.contains(agent);
    }

    String agentOf(JsonNode params) {
        var id = String.valueOf(Json.textIfAny(params, "sessionId"));
        return known.contains(id) ? id : Upstream.SELF;
    }

    AcpSpeech speech(String agent) {
        return speeches.computeIfAbsent(agent, _ -> new AcpSpeech(agent, up));
    }

    void updated(String agent, JsonNode update) {
        var kind = String.valueOf(Json.textIfAny(update, "sessionUpdate"));
        switch (kind) {
            case "agent_message_chunk", "session_message_chunk", "session_message" ->
                    speech(agent).chunk(update.path("content"));
            case "tool_call" -> {
                speech(agent).end();
                speech(agent).called(update);
            }
            case "tool_call_update" -> speech(agent).returned(update);
            case "plan" -> up.event(agent, "plan", Map.of("entries", update.path("entries")));
            case "subagent_update" -> subagent(agent, update);
            case "usage_update" -> cost(agent, update.path("cost"));
            default -> {
                if (!SILENT.contains(kind)) unknown.heard("session/update " + kind, update);
            }
        }
    }

    private void subagent(String parent, JsonNode update) {
        var id = String.valueOf(Json.textIfAny(update, "sessionId"));
        var title = Json.textIfAny(update, "title");
        if (known.add(id)) {
            living.add(id);
            var said = title == null ? "" : title;
            up.began(parent, new Upstream.Subagent(id, "agent", said));
        }
        if (update.path("capabilities").has("cancel")) cancellable.add(id);
        // A state is a word, or an object with a field of that name.
        var state = update.path("state");
        var word = state.isObject() ? state.path("state") : state;
        switch (word.isString() ? word.asString() : "") {
            case "idle", "completed", "finished", "done" -> ended(id, Upstream.Ending.FINISHED);
            case "failed", "error" -> ended(id, Upstream.Ending.FAILED);
            case "cancelled", "closed" -> ended(id, Upstream.Ending.STOPPED);
            case String _ -> {}
        }
    }

    private void ended(String id, Upstream.Ending how) {
        if (!living.contains(id)) return;
        speech(id).end();
        up.ended(id, how, speech(id).last());
        living.remove(id);
    }

    /** Reports what a session's cost, which the agent sends as a sum, has increased by. */
    private void cost(String agent, JsonNode cost) {
        if (!"USD".equals(Json.textIfAny(cost, "currency"))) return;
        var now = BigDecimal.valueOf(cost.path("amount").asDouble(0));
        var since = now.subtract(dollars.getOrDefault(agent, BigDecimal.ZERO));
        if (since.signum() <= 0) return;
        dollars.put(agent, now);
        up.spent(agent, new Upstream.Spent(0, 0, since));
    }

    /** Ends all subagents, because their program has ended. */
    void end() {
        for (var id : List.copyOf(living)) ended(id, Upstream.Ending.STOPPED);
    }
}
