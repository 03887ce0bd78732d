package dev.coppice.view;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.wire.Json;
import dev.coppice.wire.SessionView;
import dev.coppice.wire.SseFrame;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/**
 * Journal entries as the originals' events: rows of a session's history, and frames of a stream.
 */
public final class Events {
    private Events() {}

    /** The row for a session's history; what only says that a session changed has none. */
    public static Optional<ObjectNode> row(Entry entry) {
        return switch (entry.fact()) {
            case Fact.SessionCreated _, Fact.SessionUpdated _ -> Optional.empty();
            case Fact.RunStarted _ -> Optional.of(base(entry, "run_start"));
            case Fact.RunCompleted(var exit) ->
                    Optional.of(
                            base(entry, "run_completed")
                                    .put("exit_code", exit)
                                    .put("reason", "completed"));
            case Fact.RunStopped(var reason) ->
                    Optional.of(base(entry, "run_stopped").put("reason", reason));
            case Fact.RunFailed(var error) ->
                    Optional.of(base(entry, "run_failed").put("error", error));
            case Fact.ResultGiven(var text, var data) ->
                    Optional.of(
                            base(entry, "result")
                                    .put("result_text", text)
                                    .set("result_data", data == null ? null : Views.json(data)));
            case Fact.TreeStopMoved(var stop, var what, int sessions, var reason) ->
                    Optional.of(
                            base(entry, "tree_stop_" + what)
                                    .put("stop_id", stop)
                                    .put("sessions", sessions)
                                    .put("reason", reason));
            case Fact.TreeFrozen(var what, int sessions) ->
                    Optional.of(base(entry, "tree_" + what).put("sessions", sessions));
            case Fact.BudgetUsed(var what, var kind, long spent, long max) ->
                    Optional.of(
                            base(entry, "budget_" + what)
                                    .put("kind", kind)
                                    .put("spent", spent)
                                    .put("max", max));
            case Fact.AccountHeld(var account, var until, int failures) ->
                    Optional.of(
                            base(entry, "account_held")
                                    .put("account", account)
                                    .put("until", until)
                                    .put("failures", failures));
            case Fact.CallbackMoved(var id, var state, var about, var tries, var detail) ->
                    Optional.of(
                            base(entry, "callback_" + state)
                                    .put("callback_id", id)
                                    .put("about", about)
                                    .put("tries", tries)
                                    .put("detail", detail));
            case Fact.RemovalMoved _,
                    Fact.SessionDeleted _,
                    Fact.SessionRestored _,
                    Fact.SessionDetached _,
                    Fact.SessionAttached _ ->
                    Optional.of(ofRemoval(entry));
            case Fact.Reported(var type, var body) ->
                    Optional.of(reported(entry, type, body.value()));
        };
    }

    private static ObjectNode ofRemoval(Entry entry) {
        return switch (entry.fact()) {
            case Fact.RemovalMoved(var removal, var state, var why) ->
                    base(entry, "removal_" + state).put("removal_id", removal).put("reason", why);
            case Fact.SessionDeleted(var removal, var name, long runs) ->
                    named(entry, "session_deleted", removal, name).put("runs_deleted", runs);
            case Fact.SessionRestored(var removal, var name, var first, var last) ->
                    named(entry, "session_restored", removal, name)
                            .put("first_event", first)
                            .put("last_event", last);
            case Fact.SessionDetached(var removal, var from) ->
                    base(entry, "session_detached")
                            .put("removal_id", removal)
                            .put("former_parent_id", from);
            case Fact.SessionAttached(var removal, var to) ->
                    base(entry, "session_attached")
                            .put("removal_id", removal)
                            .put("parent_session_id", to);
            case Fact other -> throw new IllegalStateException(other + " is of no removal");
        };
    }

    private static ObjectNode named(Entry entry, String type, String removal, String name) {
        return base(entry, type).put("removal_id", removal).put("session_name", name);
    }

    /** The name under which the live stream shows a fact. */
    public static String type(Fact fact) {
        return switch (fact) {
            case Fact.SessionCreated _ -> "session_created";
            case Fact.SessionUpdated _ -> "session_updated";
            case Fact.RunFailed _ -> "run_failed";
            case Fact.SessionDeleted _ -> "session_deleted";
            case Fact.SessionRestored _ -> "session_restored";
            case Fact.RunStarted _,
                    Fact.RunCompleted _,
                    Fact.RunStopped _,
                    Fact.ResultGiven _,
                    Fact.CallbackMoved _,
                    Fact.AccountHeld _,
                    Fact.BudgetUsed _,
                    Fact.TreeFrozen _,
                    Fact.TreeStopMoved _,
                    Fact.RemovalMoved _,
                    Fact.SessionDetached _,
                    Fact.SessionAttached _,
                    Fact.Reported _ ->
                    "event";
        };
    }

    /** The frame for the live stream, encoded once for all who follow. */
    public static SseFrame frame(Entry entry) {
        var data =
                switch (entry.fact()) {
                    case Fact.SessionCreated(var shot) -> session(shot);
                    case Fact.SessionUpdated(var shot) -> session(shot);
                    case Fact.RunFailed(var error) -> failed(entry, error).toString();
                    case Fact.SessionDeleted _, Fact.SessionRestored _ ->
                            row(entry).orElseThrow().toString();
                    case Fact.RunStarted _,
                            Fact.RunCompleted _,
                            Fact.RunStopped _,
                            Fact.ResultGiven _,
                            Fact.CallbackMoved _,
                            Fact.AccountHeld _,
                            Fact.BudgetUsed _,
                            Fact.TreeFrozen _,
                            Fact.TreeStopMoved _,
                            Fact.RemovalMoved _,
                            Fact.SessionDetached _,
                            Fact.SessionAttached _,
                            Fact.Reported _ ->
                            event(row(entry).orElseThrow());
                };
        return new SseFrame(Long.toString(entry.number()), type(entry.fact()), data);
    }

    private static ObjectNode failed(Entry entry, String error) {
        return Json.object()
                .put("run_id", run(entry))
                .put("error", error)
                .put("session_id", entry.session().value());
    }

    private static String event(ObjectNode row) {
        var data = Json.object();
        data.set("event", row);
        var frame = Json.object();
        frame.set("data", data);
        return frame.toString();
    }

    private static String session(Fact.SessionShot shot) {
        var frame = Json.object();
        frame.set("session", Json.tree(view(shot)));
        return frame.toString();
    }

    private static ObjectNode base(Entry entry, String type) {
        return Json.object()
                .put("id", entry.number())
                .put("session_id", entry.session().value())
                .put("run_id", run(entry))
                .put("event_type", type)
                .put("timestamp", entry.at().toString());
    }

    private static ObjectNode reported(Entry entry, String type, String body) {
        var row = base(entry, type);
        JsonNode said = Json.read(body);
        said.properties().forEach(field -> row.set(field.getKey(), field.getValue()));
        // What an agent says of itself cannot change whose event it is, or its number.
        row.put("id", entry.number())
                .put("session_id", entry.session().value())
                .put("event_type", type);
        return row;
    }

    private static @Nullable String run(Entry entry) {
        var run = entry.run();
        return run == null ? null : run.value();
    }

    private static SessionView view(Fact.SessionShot s) {
        var started = s.when().started();
        var resumed = s.when().resumed();
        var ended = s.when().ended();
        var from = started == null ? s.when().created() : started;
        return new SessionView(
                s.id(),
                s.name(),
                Words.ofSession(s.state()),
                s.state(),
                s.reason(),
                s.type(),
                s.where().parentId(),
                s.where().parentName(),
                s.where().rootId(),
                s.where().depth(),
                s.where().path(),
                s.when().created().toString(),
                started == null ? null : started.toString(),
                resumed == null ? null : resumed.toString(),
                ended == null ? null : ended.toString(),
                ended == null ? null : ended.toEpochMilli() - from.toEpochMilli(),
                s.what().projectDir(),
                s.what().blueprint(),
                s.what().sourceApp(),
                s.what().executorSessionId(),
                s.what().executorProfile(),
                s.what().hostname(),
                null,
                null,
                null,
                null,
                null,
                null);
    }
}
