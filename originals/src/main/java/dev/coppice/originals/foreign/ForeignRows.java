package dev.coppice.originals.foreign;

import dev.coppice.originals.foreign.ForeignDatabase.Kind;
import dev.coppice.session.Profile;
import dev.coppice.store.session.LimitColumns;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Translates rows of the original systems. Sessions and runs that were live there end. */
final class ForeignRows {
    private static final String STATUS = "humanInTheLoopStatus";
    private static final Map<String, String> SESSION_STATES =
            Map.of(
                    "finished", "finished",
                    "completed", "finished",
                    "failed", "failed",
                    "stopped", "stopped",
                    "cancelled", "stopped",
                    "timeout", "timed_out");
    private static final Set<String> TYPES =
            Set.of("main", "subagent", "wave", "continuation", "isolated");
    private static final List<String> NULL_IN_RUNS =
            List.of("result_text", "result_data", "silence_ms", "lifetime_ms", "account");
    private static final List<String> DEMANDS =
            List.of("hostname", "project_dir", "executor_profile", "executor_type");

    /** The columns of events that hold JSON. */
    private static final Set<String> JSON =
            Set.of(
                    "payload",
                    "chat",
                    "delegation_context",
                    "humanintheloop",
                    "humanintheloopstatus",
                    "tool_input",
                    "tool_output",
                    "content",
                    "result_data");

    /** The fields of messages whose columns are read in lower case. */
    private static final Map<String, String> FIELDS =
            Map.of("humanintheloop", "humanInTheLoop", "humanintheloopstatus", STATUS);

    private final Kind kind;

    ForeignRows(Kind kind) {
        this.kind = kind;
    }

    Map<String, @Nullable Object> session(
            Map<String, @Nullable Object> row,
            String name,
            @Nullable String parent,
            ForeignTimes times) {
        Map<String, @Nullable Object> ours = new LinkedHashMap<>();
        var status = String.valueOf(row.get("status"));
        var type = String.valueOf(row.get("session_type"));
        ours.put("id", row.get("session_id"));
        ours.put("name", name);
        ours.put("type", TYPES.contains(type) ? type : parent == null ? "main" : "subagent");
        ours.put("parent_id", parent);
        ours.put("state", SESSION_STATES.getOrDefault(status, "stopped"));
        ours.put("reason", reason(row, status));
        ours.put("since", times.ended());
        ours.put("created_at", times.created());
        ours.put("started_at", times.started());
        ours.put("resumed_at", times.resumed());
        ours.put("ended_at", times.ended());
        ours.put("project_dir", row.get("project_dir"));
        ours.put("blueprint", row.get("agent_name"));
        ours.put("source_app", row.get("source_app"));
        ours.put("metadata", object(row, "session_metadata"));
        for (var binding : List.of("executor_session_id", "executor_profile", "hostname")) {
            ours.put(binding, row.get(binding));
        }
        // Its program may send more events here, from which its state follows.
        if (kind != Kind.COORDINATOR) ours.put("executor_profile", Profile.OBSERVED);
        for (var limit : LimitColumns.names()) ours.put(limit, null);
        ours.put("on_parent_end", "keep");
        for (var none : List.of("quiet_at", "frozen_at", "abandoned_at")) ours.put(none, null);
        return ours;
    }

    private static String reason(Map<String, @Nullable Object> row, String status) {
        var knownBy = text(row, "known_by");
        if (knownBy != null) return "only %s told of it when it was imported".formatted(knownBy);
        return SESSION_STATES.containsKey(status)
                ? "it had the status '%s' when it was imported".formatted(status)
                : "it was '%s' when it was imported".formatted(status);
    }

    /** The spending of a session itself, and with all below it. */
    static Map<String, @Nullable Object> spent(String session, long own, long withBelow) {
        Map<String, @Nullable Object> ours = new LinkedHashMap<>();
        ours.put("session_id", session);
        ours.put("own_tokens", own);
        ours.put("tokens", withBelow);
        for (var none :
                List.of("own_cost_micros", "own_wall_millis", "cost_micros", "wall_millis")) {
            ours.put(none, 0L);
        }
        return ours;
    }

    Map<String, @Nullable Object> run(Map<String, @Nullable Object> row) {
        Map<String, @Nullable Object> ours = new LinkedHashMap<>();
        var created = ForeignTimes.time(row, "created_at", 0);
        var claimed = ForeignTimes.timeOrNull(row, "claimed_at");
        var started = ForeignTimes.timeOrNull(row, "started_at");
        // A run that was live there ends with the last that is known of it.
        var ended = ForeignTimes.time(row, "completed_at", latest(created, claimed, started));
        var status = String.valueOf(row.get("status"));
        var mode = String.valueOf(row.get("execution_mode"));
        var error = text(row, "error");
        ours.put("session_id", row.get("session_id"));
        ours.put("id", row.get("run_id"));
        ours.put(
                "type",
                "resume_session".equals(row.get("type")) ? "resume_session" : "start_session");
        ours.put("mode", Set.of("async_poll", "async_callback").contains(mode) ? mode : "sync");
        ours.put("blueprint", row.get("agent_name"));
        ours.put("definition", object(row, "resolved_agent_blueprint"));
        ours.put("parameters", object(row, "parameters"));
        ours.put("scope", object(row, "scope"));
        ours.put("project_dir", row.get("project_dir"));
        demands(ours, text(row, "demands"));
        ours.put("state", SESSION_STATES.getOrDefault(status, "stopped"));
        ours.put(
                "reason",
                error == null ? "it was '%s' when it was imported".formatted(status) : error);
        ours.put("since", ended);
        ours.put("runner", row.get("runner_id"));
        ours.put("fence", 0L);
        ours.put("queued_at", created);
        ours.put("claimed_at", claimed);
        ours.put("started_at", started);
        ours.put("ended_at", ended);
        ours.put("unmatched_at", ForeignTimes.time(row, "timeout_at", created));
        ours.put("corrections", 0L);
        NULL_IN_RUNS.forEach(name -> ours.put(name, null));
        return ours;
    }

    private static void demands(Map<String, @Nullable Object> ours, @Nullable String text) {
        var value = text == null ? null : Json.valueOf(text);
        var demands = value == null ? Json.object() : value;
        for (var name : DEMANDS) ours.put("demand_" + name, Json.textIfAny(demands, name));
        ours.put(
                "demand_tags",
                demands.path("tags")
                        .valueStream()
                        .filter(JsonNode::isString)
                        .map(JsonNode::asString)
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining("\n")));
    }

    Map<String, @Nullable Object> event(Map<String, @Nullable Object> row) {
        return kind == Kind.COORDINATOR ? reported(row) : sent(row);
    }

    /** Translates an event to a reported one: its body has the remaining columns. */
    private static Map<String, @Nullable Object> reported(Map<String, @Nullable Object> row) {
        var type = type(row, "event_type");
        var body = Json.object().put("event_type", type);
        fill(body, row, Set.of("id", "session_id", "event_type"));
        return event(row, type, body);
    }

    /** Translates an event to the message that a hook sent: its body has all columns. */
    private static Map<String, @Nullable Object> sent(Map<String, @Nullable Object> row) {
        var type = type(row, "hook_event_type");
        var body = Json.object();
        fill(body, row, Set.of("id"));
        var status = body.remove(STATUS);
        var ours = event(row, type, body);
        ours.put("sent_at", ours.get("at"));
        ours.put("wave", text(row, "wave_id"));
        ours.put("answer", status == null ? null : answer(status));
        return ours;
    }

    /** A person's answer, in the form in which the answers to sent events are stored. */
    private static @Nullable String answer(JsonNode status) {
        if (!(status.path("response") instanceof ObjectNode response)) return null;
        var said = response.deepCopy();
        var at = status.get("respondedAt");
        if (at != null && !said.has("respondedAt")) said.set("respondedAt", at);
        return Json.write(said);
    }

    private static String type(Map<String, @Nullable Object> row, String column) {
        var type = text(row, column);
        return type == null ? "event" : type;
    }

    private static Map<String, @Nullable Object> event(
            Map<String, @Nullable Object> row, String type, ObjectNode body) {
        Map<String, @Nullable Object> ours = new LinkedHashMap<>();
        ours.put("session_id", row.get("session_id"));
        ours.put("run", null);
        ours.put("type", "*" + type);
        ours.put("at", ForeignTimes.time(row, "timestamp", 0));
        ours.put("body", Json.write(body));
        return ours;
    }

    private static void fill(
            ObjectNode body, Map<String, @Nullable Object> row, Set<String> leftOut) {
        row.forEach((name, value) -> {
            if (value == null || leftOut.contains(name)) return;
            boolean isJson = JSON.contains(name) && value instanceof String;
            var read = isJson ? Json.valueOf(value.toString()) : null;
            body.set(FIELDS.getOrDefault(name, name), read == null ? Json.tree(value) : read);
        });
    }

    /** Translates a pair that has no place here to an event of its child. */
    static Map<String, @Nullable Object> relationship(Map<String, @Nullable Object> row) {
        var body = Json.object().put("event_type", "relationship");
        fill(body, row, Set.of("id"));
        Map<String, @Nullable Object> ours = new LinkedHashMap<>();
        ours.put("session_id", row.get("child_session_id"));
        ours.put("run", null);
        ours.put("type", "*relationship");
        ours.put("at", ForeignTimes.time(row, "created_at", 0));
        ours.put("body", Json.write(body));
        return ours;
    }

    /** Returns the JSON object in the column, or an empty one if there is none. */
    private static String object(Map<String, @Nullable Object> row, String column) {
        var text = text(row, column);
        var value = text == null ? null : Json.valueOf(text);
        return value != null && value.isObject() ? Json.write(value) : "{}";
    }

    /** True if the column has a text that is no JSON object. */
    static boolean isOdd(Map<String, @Nullable Object> row, String column) {
        var text = text(row, column);
        return text != null && object(row, column).equals("{}") && !text.strip().equals("{}");
    }

    private static long latest(long created, @Nullable Long claimed, @Nullable Long started) {
        long latest = claimed == null ? created : Math.max(created, claimed);
        return started == null ? latest : Math.max(latest, started);
    }

    static @Nullable String text(Map<String, @Nullable Object> row, String column) {
        var value = row.get(column);
        return value == null || value.toString().isBlank() ? null : value.toString();
    }
}
