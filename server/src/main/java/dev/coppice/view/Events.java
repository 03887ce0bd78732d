package dev.coppice.view;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.JsonText;
import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;
import dev.coppice.wire.session.EventView;
import dev.coppice.wire.session.LiveFrames;
import dev.coppice.wire.session.SessionBody;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Journal entries as the originals' events: rows of a session's history, and frames of a stream.
 */
public final class Events {
    /** The fields of a reported event that are the journal's. */
    private static final List<String> OWN = List.of("id", "session_id", "event_type");

    private Events() {}

    /** The row for a session's history; a fact that only says that a session changed has none. */
    public static Optional<EventView> row(Entry entry) {
        return switch (entry.fact()) {
            case Fact.SessionCreated _, Fact.SessionUpdated _ -> Optional.empty();
            case Fact.Reported(var type, var body) -> Optional.of(reported(entry, type, body));
            case Fact fact -> Optional.of(view(entry, details(fact)));
        };
    }

    /** What is told of a fact besides when and where it happened. */
    private record Details(String type, Map<String, JsonNode> fields) {
        static Details of(String type) {
            return new Details(type, new LinkedHashMap<>());
        }

        Details and(String name, @Nullable Object value) {
            fields.put(name, Json.tree(value));
            return this;
        }
    }

    private static Details details(Fact fact) {
        return switch (fact) {
            case Fact.SessionCreated _, Fact.SessionUpdated _, Fact.Reported _ ->
                    throw new IllegalStateException(fact + " has no details");
            case Fact.RunStarted _ -> Details.of("run_start");
            case Fact.RunCompleted(var exit) ->
                    Details.of("run_completed").and("exit_code", exit).and("reason", "completed");
            case Fact.RunStopped(var reason) -> Details.of("run_stopped").and("reason", reason);
            case Fact.RunFailed(var error) -> Details.of("run_failed").and("error", error);
            case Fact.ResultGiven(var text, var data) ->
                    Details.of("result")
                            .and("result_text", text)
                            .and("result_data", data == null ? null : Views.json(data));
            case Fact.TreeStopMoved(var stop, var what, int sessions, var reason) ->
                    Details.of("tree_stop_" + what)
                            .and("stop_id", stop)
                            .and("sessions", sessions)
                            .and("reason", reason);
            case Fact.TreeFrozen(var what, int sessions) ->
                    Details.of("tree_" + what).and("sessions", sessions);
            case Fact.BudgetUsed(var what, var kind, long spent, long max) ->
                    Details.of("budget_" + what)
                            .and("kind", kind)
                            .and("spent", spent)
                            .and("max", max);
            case Fact.AccountHeld(var account, var until, int failures) ->
                    Details.of("account_held")
                            .and("account", account)
                            .and("until", until)
                            .and("failures", failures);
            case Fact.CallbackMoved(var id, var state, var about, var tries, var detail) ->
                    Details.of("callback_" + state)
                            .and("callback_id", id)
                            .and("about", about)
                            .and("tries", tries)
                            .and("detail", detail);
            case Fact.RemovalMoved(var removal, var state, var why) ->
                    Details.of("removal_" + state).and("removal_id", removal).and("reason", why);
            case Fact.SessionDeleted(var removal, var name, long runs) ->
                    named("session_deleted", removal, name).and("runs_deleted", runs);
            case Fact.SessionRestored(var removal, var name, var first, var last) ->
                    named("session_restored", removal, name)
                            .and("first_event", first)
                            .and("last_event", last);
            case Fact.SessionDetached(var removal, var from) ->
                    Details.of("session_detached")
                            .and("removal_id", removal)
                            .and("former_parent_id", from);
            case Fact.SessionAttached(var removal, var to) ->
                    Details.of("session_attached")
                            .and("removal_id", removal)
                            .and("parent_session_id", to);
        };
    }

    private static Details named(String type, String removal, String name) {
        return Details.of(type).and("removal_id", removal).and("session_name", name);
    }

    private static EventView view(Entry entry, Details details) {
        return new EventView(
                entry.number(),
                entry.session().value(),
                run(entry),
                details.type(),
                entry.at().toString(),
                details.fields());
    }

    /** A reported event cannot change whose event it is, or its number. */
    private static EventView reported(Entry entry, String type, JsonText body) {
        var fields = new LinkedHashMap<String, JsonNode>();
        Views.json(body).properties().forEach(f -> fields.put(f.getKey(), f.getValue()));
        var run = fields.remove("run_id");
        var at = fields.remove("timestamp");
        OWN.forEach(fields::remove);
        return new EventView(
                entry.number(),
                entry.session().value(),
                run != null && run.isString() ? run.asString() : run(entry),
                type,
                at != null && at.isString() ? at.asString() : entry.at().toString(),
                fields);
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
                    case Fact.RunFailed(var error) ->
                            Json.write(
                                    new LiveFrames.Failed(
                                            run(entry), error, entry.session().value()));
                    case Fact.SessionDeleted _, Fact.SessionRestored _ ->
                            Json.write(row(entry).orElseThrow());
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

    private static String event(EventView row) {
        return Json.write(new LiveFrames.Told(new LiveFrames.Happened(row)));
    }

    private static String session(Fact.SessionShot shot) {
        return Json.write(new SessionBody(view(shot)));
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
