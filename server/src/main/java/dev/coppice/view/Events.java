package dev.coppice.view;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.journal.ShownFact;
import dev.coppice.kernel.JsonText;
import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;
import dev.coppice.wire.event.EventView;
import dev.coppice.wire.event.LiveFrames;
import dev.coppice.wire.session.SessionBody;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** Journal entries as events: rows of a session's history, and frames of a stream. */
public final class Events {
    /** The fields of an event that the journal sets. */
    private static final List<String> OWN = List.of("id", "session_id", "event_type");

    private Events() {}

    /** The row in a session's history; empty for facts that only say that a session changed. */
    public static Optional<EventView> row(Entry entry) {
        return switch (entry.fact()) {
            case Fact.SessionCreated _, Fact.SessionUpdated _ -> Optional.empty();
            case Fact.Reported(var type, var body) -> Optional.of(reported(entry, type, body));
            case Fact fact -> Optional.of(view(entry, fact.shown()));
        };
    }

    private static EventView view(Entry entry, ShownFact shown) {
        var fields = new LinkedHashMap<String, JsonNode>();
        shown.fields().forEach((name, value) -> fields.put(name, json(value)));
        return new EventView(
                entry.number(),
                entry.session().value(),
                run(entry),
                shown.type(),
                entry.at().toString(),
                fields);
    }

    private static JsonNode json(@Nullable Object value) {
        return value instanceof JsonText text ? Json.stored(text.value()) : Json.tree(value);
    }

    /** A reported event cannot set its own number or session. */
    private static EventView reported(Entry entry, String type, JsonText body) {
        var fields = Json.storedFields(body.value());
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

    /** The frame for the live stream, encoded once for all followers. */
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
                    default -> event(row(entry).orElseThrow());
                };
        return new SseFrame(Long.toString(entry.number()), entry.fact().frame(), data);
    }

    private static String event(EventView row) {
        return Json.write(new LiveFrames.Told(row));
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
                null,
                null);
    }
}
