package dev.coppice.backup;

import dev.coppice.store.ForeignDatabase.Kind;
import dev.coppice.store.session.LimitColumns;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Translates rows of the original systems. Sessions and runs that were live there end. */
final class ForeignRows {
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
            List.of(
                    "demand_hostname",
                    "demand_project_dir",
                    "demand_executor_profile",
                    "demand_executor_type",
                    "result_text",
                    "result_data",
                    "silence_ms",
                    "lifetime_ms",
                    "account");

    private final Kind kind;

    ForeignRows(Kind kind) {
        this.kind = kind;
    }

    Map<String, @Nullable Object> session(
            Map<String, @Nullable Object> row, String name, @Nullable String parent) {
        Map<String, @Nullable Object> ours = new LinkedHashMap<>();
        boolean watched = kind == Kind.OBSERVABILITY;
        var created = time(row, watched ? "start_time" : "created_at", 0);
        var ended = time(row, watched ? "end_time" : "last_resumed_at", created);
        var status = String.valueOf(row.get("status"));
        var state = SESSION_STATES.getOrDefault(status, "stopped");
        var type = String.valueOf(row.get("session_type"));
        ours.put("id", row.get("session_id"));
        ours.put("name", name);
        ours.put("type", TYPES.contains(type) ? type : parent == null ? "main" : "subagent");
        ours.put("parent_id", parent);
        ours.put("state", state);
        ours.put(
                "reason",
                SESSION_STATES.containsKey(status)
                        ? "it had the status '%s' when it was imported".formatted(status)
                        : "it was '%s' when it was imported".formatted(status));
        ours.put("since", ended);
        ours.put("created_at", created);
        ours.put("started_at", null);
        ours.put("resumed_at", null);
        ours.put("ended_at", ended);
        ours.put("project_dir", row.get("project_dir"));
        ours.put("blueprint", row.get("agent_name"));
        ours.put("source_app", row.get("source_app"));
        ours.put("metadata", object(row, "session_metadata"));
        for (var name2 : List.of("executor_session_id", "executor_profile", "hostname")) {
            ours.put(name2, row.get(name2));
        }
        for (var limit : LimitColumns.names()) ours.put(limit, null);
        ours.put("on_parent_end", "keep");
        for (var none : List.of("quiet_at", "frozen_at", "abandoned_at")) ours.put(none, null);
        return ours;
    }

    Map<String, @Nullable Object> run(Map<String, @Nullable Object> row) {
        Map<String, @Nullable Object> ours = new LinkedHashMap<>();
        var created = time(row, "created_at", 0);
        var ended = time(row, "completed_at", created);
        var status = String.valueOf(row.get("status"));
        var mode = String.valueOf(row.get("execution_mode"));
        var error = ForeignTrees.text(row, "error");
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
        ours.put("demand_tags", "");
        ours.put("state", SESSION_STATES.getOrDefault(status, "stopped"));
        ours.put(
                "reason",
                error == null ? "it was '%s' when it was imported".formatted(status) : error);
        ours.put("since", ended);
        ours.put("runner", row.get("runner_id"));
        ours.put("fence", 0L);
        ours.put("queued_at", created);
        ours.put("claimed_at", null);
        ours.put("started_at", null);
        ours.put("ended_at", ended);
        ours.put("unmatched_at", created);
        ours.put("corrections", 0L);
        NULL_IN_RUNS.forEach(name -> ours.put(name, null));
        return ours;
    }

    /** Translates an event to a reported one: its body has the remaining columns. */
    Map<String, @Nullable Object> event(Map<String, @Nullable Object> row) {
        boolean watched = kind == Kind.OBSERVABILITY;
        var type = ForeignTrees.text(row, watched ? "hook_event_type" : "event_type");
        var body = Json.object().put("event_type", type == null ? "event" : type);
        row.forEach((name, value) -> {
            if (value == null || Set.of("id", "session_id", "event_type").contains(name)) return;
            var read =
                    value instanceof String text && looksLikeJson(text) ? Json.valueOf(text) : null;
            body.set(name, read == null ? Json.tree(value) : read);
        });
        Map<String, @Nullable Object> ours = new LinkedHashMap<>();
        ours.put("session_id", row.get("session_id"));
        ours.put("run", null);
        ours.put("type", "*" + (type == null ? "event" : type));
        ours.put("at", time(row, "timestamp", 0));
        ours.put("body", Json.write(body));
        return ours;
    }

    /** Translates an edge to an event: here the only kind of edge is that to the parent. */
    Map<String, @Nullable Object> relationship(Map<String, @Nullable Object> row) {
        var body = Json.object().put("event_type", "relationship");
        row.forEach((name, value) -> {
            if (value != null && !name.equals("id")) body.set(name, Json.tree(value));
        });
        Map<String, @Nullable Object> ours = new LinkedHashMap<>();
        ours.put("session_id", row.get("child_session_id"));
        ours.put("run", null);
        ours.put("type", "*relationship");
        ours.put("at", time(row, "created_at", 0));
        ours.put("body", Json.write(body));
        return ours;
    }

    private static boolean looksLikeJson(String text) {
        return text.startsWith("{") || text.startsWith("[");
    }

    /** Returns the JSON object in the column, or an empty one if there is none. */
    private static String object(Map<String, @Nullable Object> row, String column) {
        var text = ForeignTrees.text(row, column);
        var value = text == null ? null : Json.valueOf(text);
        return value != null && value.isObject() ? Json.write(value) : "{}";
    }

    /** Reads milliseconds, or a text with or without an offset; without, it means UTC. */
    private static long time(Map<String, @Nullable Object> row, String column, long absent) {
        var value = row.get(column);
        if (value instanceof Number number) return number.longValue();
        if (value == null) return absent;
        var text = value.toString().replace(' ', 'T');
        try {
            var read =
                    DateTimeFormatter.ISO_DATE_TIME.parseBest(
                            text, OffsetDateTime::from, LocalDateTime::from);
            return read instanceof OffsetDateTime at
                    ? at.toInstant().toEpochMilli()
                    : ((LocalDateTime) read).toInstant(ZoneOffset.UTC).toEpochMilli();
        } catch (DateTimeParseException _) {
            return absent;
        }
    }
}
