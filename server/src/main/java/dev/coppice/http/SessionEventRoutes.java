package dev.coppice.http;

import dev.coppice.access.Need;
import dev.coppice.journal.Entry;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.run.ReportEvent;
import dev.coppice.run.Result;
import dev.coppice.view.Events;
import dev.coppice.web.Exchange;
import dev.coppice.web.Once;
import dev.coppice.web.Problems;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Optional;

/** A session's history: what it told, and what became of its runs. */
public final class SessionEventRoutes {
    private final Room room;
    private final Journal journal;
    private final ReportEvent report;
    private final Once once;

    public SessionEventRoutes(Room room, Journal journal, ReportEvent report, Once once) {
        this.room = room;
        this.journal = journal;
        this.report = report;
        this.once = once;
    }

    public List<Route> routes() {
        return List.of(
                Route.get(
                                "/sessions/{id}/events",
                                Need.READ,
                                "The newest events, oldest first",
                                this::list)
                        .with(
                                new Route.Query(
                                        "after", "go on after this number, towards the newest"),
                                new Route.Query("before", "go back from this number"),
                                new Route.Query(
                                        "limit", "how many at most; 100 by default, 1000 at most")),
                Route.post("/sessions/{id}/events", Need.REPORT, "Tell an event", this::tell));
    }

    /**
     * Without a cursor the newest hundred: the original gave the oldest hundred of any session, so
     * that a long one never showed what it was doing.
     */
    private Reply list(Exchange x) {
        int max = (int) x.number("limit", Bounds.PAGE_ITEMS_DEFAULT, 1, Bounds.PAGE_ITEMS_MAX);
        long before = x.number("before", Long.MAX_VALUE, 1, Long.MAX_VALUE);
        boolean onward = x.query("after") != null;
        long after = x.number("after", 0, 0, Long.MAX_VALUE);
        return room.reading(
                x,
                session -> {
                    var scope = Journal.Scope.of(session.id());
                    var found =
                            onward
                                    ? journal.after(after, scope, max)
                                    : journal.before(before, scope, max);
                    var rows = found.stream().map(Events::row).flatMap(Optional::stream).toList();
                    var body = Json.object();
                    body.set("events", Json.tree(rows));
                    boolean more = !found.isEmpty() && isMore(scope, found, onward, max);
                    body.put("next", more && onward ? number(found.getLast().number()) : null);
                    return Reply.ok(
                            body.put(
                                    "previous",
                                    more && !onward ? number(found.getFirst().number()) : null));
                });
    }

    /** A page of large events ends before it has as many as were asked for. */
    private boolean isMore(Journal.Scope scope, List<Entry> found, boolean onward, int max) {
        if (found.size() == max) return true;
        var beyond =
                onward
                        ? journal.after(found.getLast().number(), scope, 1)
                        : journal.before(found.getFirst().number(), scope, 1);
        return !beyond.isEmpty();
    }

    private static String number(long number) {
        return Long.toString(number);
    }

    private Reply tell(Exchange x) {
        var body = x.json();
        var type = Room.ASKED.label("event_type", Json.text(body, "event_type"));
        if (type == null) throw Room.ASKED.bad("event_type", "", "given");
        var size = Bounds.bytesOf(x.request().body());
        if (size > Bounds.EVENT_BYTES_MAX) {
            return Problems.reply(
                    new RequestRefusal.TooLarge("event", size, Bounds.EVENT_BYTES_MAX));
        }
        var named = Json.text(body, "session_id");
        if (named != null && !named.equals(x.path("id"))) {
            throw Room.ASKED.bad("session_id", named, "the session in the path");
        }
        var said = new JsonText(body.toString());
        var result = type.equals(ReportEvent.RESULT) ? result(body) : null;
        return once.perform(
                x,
                () ->
                        room.writing(
                                x,
                                Need.REPORT,
                                session ->
                                        x.reply(
                                                report.report(session.id(), type, said, result),
                                                _ ->
                                                        Reply.created(
                                                                Json.object().put("ok", true)))));
    }

    private static Result result(JsonNode body) {
        var data = body.get("result_data");
        return new Result(
                Json.text(body, "result_text"),
                isAbsent(data) ? null : new JsonText(data.toString()));
    }

    private static boolean isAbsent(@Nullable JsonNode node) {
        return node == null || node.isNull();
    }
}
