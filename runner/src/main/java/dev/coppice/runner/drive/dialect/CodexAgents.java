package dev.coppice.runner.drive.dialect;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The threads that agents of a Codex thread have begun, and what each thread spends. */
final class CodexAgents {
    private final Upstream up;
    private final CodexItems items;
    private final Set<String> known = new HashSet<>();
    private final Set<String> living = new LinkedHashSet<>();
    private final Map<String, CodexUsage> usage = new HashMap<>();

    CodexAgents(Upstream up, CodexItems items) {
        this.up = up;
        this.items = items;
    }

    /** Returns the agent of a thread: its id, or {@code SELF} for the session's own. */
    String of(JsonNode params) {
        return of(String.valueOf(Json.textIfAny(params, "threadId")));
    }

    String of(String id) {
        return known.contains(id) ? id : Upstream.SELF;
    }

    void threadBegan(JsonNode begun, String own) {
        var id = String.valueOf(Json.textIfAny(begun, "id"));
        var parent = Json.textIfAny(begun, "parentThreadId");
        if (parent == null || id.equals(own)) return;
        var role = Json.textIfAny(begun, "agentRole");
        var name = Json.textIfAny(begun, "agentNickname");
        begin(of(parent), id, role == null ? "agent" : role, name == null ? "" : name);
    }

    private void begin(String parent, String id, String type, String said) {
        if (!known.add(id)) return;
        living.add(id);
        up.began(parent, new Upstream.Subagent(id, type, said));
    }

    void ended(String agent, Upstream.Ending how, String said) {
        if (living.remove(agent)) up.ended(agent, how, said);
    }

    /** Handles an item about a subagent, which is in the thread of the agent that began it. */
    void acted(String agent, JsonNode item) {
        var id = String.valueOf(Json.textIfAny(item, "agentThreadId"));
        var path = String.valueOf(Json.textIfAny(item, "agentPath"));
        switch (String.valueOf(Json.textIfAny(item, "kind"))) {
            case "started", "interacted" ->
                    begin(agent, id, path.substring(path.lastIndexOf('/') + 1), path);
            case "completed" -> ended(id, Upstream.Ending.FINISHED, items.said(id));
            case "interrupted" -> ended(id, Upstream.Ending.STOPPED, items.said(id));
            case String _ -> {}
        }
    }

    /** Begins and ends subagents as an agent reports them. */
    void collaborated(String agent, JsonNode item) {
        if ("spawnAgent".equals(Json.textIfAny(item, "tool"))) {
            var prompt = Json.textIfAny(item, "prompt");
            for (var id : item.path("receiverThreadIds")) {
                if (!id.isString()) continue;
                begin(agent, id.asString(), "agent", prompt == null ? "" : prompt);
            }
        }
        for (var state : item.path("agentsStates").properties()) {
            var said = Json.textIfAny(state.getValue(), "message");
            var why = said == null ? "" : said;
            switch (String.valueOf(Json.textIfAny(state.getValue(), "status"))) {
                case "completed" -> ended(state.getKey(), Upstream.Ending.FINISHED, why);
                case "errored", "notFound" -> ended(state.getKey(), Upstream.Ending.FAILED, why);
                case "interrupted", "shutdown" ->
                        ended(state.getKey(), Upstream.Ending.STOPPED, why);
                case String _ -> {}
            }
        }
    }

    /** {@code isOfNow} is false for sums of earlier turns, which a resumed thread reports first. */
    void spent(JsonNode params, boolean isOfNow) {
        var of = String.valueOf(Json.textIfAny(params, "threadId"));
        usage.computeIfAbsent(of, _ -> new CodexUsage())
                .since(
                        params.path("tokenUsage").path("total"),
                        params.path("tokenUsage").path("last"))
                .filter(_ -> isOfNow)
                .ifPresent(spent -> up.spent(of(of), spent));
    }

    /** Ends all subagents, because their program has ended. */
    void end() {
        for (var id : List.copyOf(living)) {
            ended(id, Upstream.Ending.STOPPED, "its program has ended");
        }
    }
}
