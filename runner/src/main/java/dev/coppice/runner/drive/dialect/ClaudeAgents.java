package dev.coppice.runner.drive.dialect;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The subagents and background tasks of Claude Code. A subagent begins with a call of a tool, so
 * the agent that made the call is its parent, however deep.
 */
final class ClaudeAgents {
    private static final String AGENT_TASK = "local_agent";

    private final Upstream up;
    private final ClaudeUsage usage;

    /** The agent that made each tool call. */
    private final Map<String, String> callers = new HashMap<>();

    private final Map<String, String> subagents = new HashMap<>();
    private final Set<String> living = new HashSet<>();
    private final Set<String> tasks = new HashSet<>();

    ClaudeAgents(Upstream up, ClaudeUsage usage) {
        this.up = up;
        this.usage = usage;
    }

    boolean areIdle() {
        return tasks.isEmpty();
    }

    boolean areAgentsLiving() {
        return !living.isEmpty();
    }

    /** The agent that made a tool call. */
    String caller(String call) {
        return callers.getOrDefault(call, Upstream.SELF);
    }

    void called(String call, String agent) {
        callers.put(call, agent);
    }

    /** Returns the agent of a message: the subagent of a tool call, or the session's own. */
    String of(JsonNode message) {
        var id = Json.textIfAny(message, "agent_id");
        if (id != null) return living(id, message);
        var call = Json.textIfAny(message, "parent_tool_use_id");
        if (call == null) return Upstream.SELF;
        return living(subagents.getOrDefault(call, call), message);
    }

    /** Begins the session of a subagent unless it has begun. */
    private String living(String id, JsonNode message) {
        if (living.contains(id)) return id;
        var call = Json.textIfAny(message, "parent_tool_use_id");
        var caller = call == null ? Upstream.SELF : caller(call);
        begin(caller, id, message, "task_description");
        return id;
    }

    private void begin(String caller, String id, JsonNode message, String description) {
        var type = Json.textIfAny(message, "subagent_type");
        var said = Json.textIfAny(message, description);
        living.add(id);
        up.began(
                caller,
                new Upstream.Subagent(id, type == null ? "agent" : type, said == null ? "" : said));
    }

    void taskStarted(JsonNode message) {
        var id = String.valueOf(Json.textIfAny(message, "task_id"));
        var call = String.valueOf(Json.textIfAny(message, "tool_use_id"));
        var caller = caller(call);
        if (AGENT_TASK.equals(Json.textIfAny(message, "task_type"))) {
            subagents.put(call, id);
            if (!living.contains(id)) begin(caller, id, message, "description");
            return;
        }
        up.event(
                caller,
                "background_task_started",
                Map.of(
                        "task_id",
                        id,
                        "description",
                        String.valueOf(Json.textIfAny(message, "description"))));
    }

    void taskEnded(JsonNode message) {
        var id = String.valueOf(Json.textIfAny(message, "task_id"));
        var status = String.valueOf(Json.textIfAny(message, "status"));
        var summary = Json.textIfAny(message, "summary");
        tasks.remove(id);
        if (living.remove(id)) {
            usage.ended(id, message.path("usage").path("total_tokens").asLong(0));
            up.ended(id, ending(status), summary == null ? status : summary);
        } else {
            up.event(
                    Upstream.SELF,
                    "background_task_ended",
                    Map.of("task_id", id, "status", status));
        }
    }

    private static Upstream.Ending ending(String status) {
        return switch (status) {
            case "completed" -> Upstream.Ending.FINISHED;
            case "killed", "stopped" -> Upstream.Ending.STOPPED;
            default -> Upstream.Ending.FAILED;
        };
    }

    void tasksAre(JsonNode message) {
        tasks.clear();
        for (var task : message.path("tasks")) {
            tasks.add(String.valueOf(Json.textIfAny(task, "task_id")));
        }
    }

    /** Ends all subagents, because their program has ended. */
    void end() {
        for (var id : living) up.ended(id, Upstream.Ending.STOPPED, "its program has ended");
    }
}
