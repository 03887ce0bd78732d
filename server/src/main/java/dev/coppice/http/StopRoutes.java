package dev.coppice.http;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Desk;
import dev.coppice.session.Limits;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.session.StateWord;
import dev.coppice.stop.FreezeTree;
import dev.coppice.stop.StopId;
import dev.coppice.stop.StopSession;
import dev.coppice.stop.StopTree;
import dev.coppice.stop.TreeStop;
import dev.coppice.stop.TreeStops;
import dev.coppice.view.Lengths;
import dev.coppice.view.Words;
import dev.coppice.web.Bell;
import dev.coppice.web.Exchange;
import dev.coppice.web.Problems;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Stopping a session or all below it too, and suspending a tree. */
public final class StopRoutes {
    static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Duration DEADLINE_MAX = Duration.ofHours(1);
    private final Room room;
    private final Desk desk;
    private final Stops stops;
    private final Bell bell;

    /** The commands, and where stops of trees are kept. */
    public record Stops(StopSession session, StopTree tree, TreeStops kept, FreezeTree freeze) {}

    public StopRoutes(Room room, Desk desk, Stops stops, Bell bell) {
        this.room = room;
        this.desk = desk;
        this.stops = stops;
        this.bell = bell;
    }

    public List<Route> routes() {
        var wait = new Route.Query("wait", "answer when the tree has stopped, or after this long");
        return List.of(
                Route.post(
                                "/sessions/{id}/stop",
                                Need.ACT,
                                "Stop the session, or with scope 'tree' all below it too; asking"
                                        + " again joins",
                                this::stop)
                        .with(wait),
                Route.post(
                        "/sessions/{id}/freeze",
                        Need.ACT,
                        "Suspend the session and all below it",
                        this::freeze),
                Route.post(
                        "/sessions/{id}/thaw",
                        Need.ACT,
                        "Let the session and all below it go on",
                        x -> frozen(x, stops.freeze()::thaw)),
                Route.get("/stops/{stop}", Need.READ, "Read the stop of a tree", this::read)
                        .with(wait));
    }

    private Reply stop(Exchange x) {
        var patience = x.patience("wait");
        var begun = room.writing(x, Need.ACT, session -> stop(x, session));
        if (patience.isZero() || !(begun instanceof Reply.Body(_, ObjectNode body))) return begun;
        var id = Json.text(body, "stop_id");
        return id == null ? begun : untilOver(new StopId(id), patience);
    }

    private Reply stop(Exchange x, Session session) {
        var body = x.json();
        var order = order(body);
        var scope = Json.text(body, "scope");
        return switch (scope == null ? "session" : scope) {
            case "session" ->
                    x.reply(
                            stops.session().stop(session.id(), order.deadline(), order.reason()),
                            done -> stopped(session, done));
            case "tree" ->
                    x.reply(
                            stops.tree().stop(desk, session.id(), order),
                            stop -> Reply.ok(shown(stop)));
            default -> throw Room.ASKED.bad("scope", String.valueOf(scope), "session or tree");
        };
    }

    private static TreeStop.Order order(JsonNode body) {
        var asked = Json.text(body, "deadline");
        var deadline = asked == null ? DEADLINE : Lengths.read(asked);
        if (deadline == null || deadline.compareTo(DEADLINE_MAX) > 0) {
            throw Room.ASKED.bad(
                    "deadline", String.valueOf(asked), Lengths.RULE + ", at most an hour");
        }
        var said = Room.ASKED.label("reason", Json.text(body, "reason"));
        return new TreeStop.Order(deadline, said == null ? "Session was manually stopped" : said);
    }

    private static Reply stopped(Session before, StopSession.Stop done) {
        var status = Words.ofSession(StateWord.of(done.session().state()));
        var body =
                Json.object()
                        .put("ok", true)
                        .put("session_id", done.session().id().value())
                        .put("status", status);
        if (done.run() != null) body.put("run_id", done.run().id().value());
        if (!before.state().isAlive()) body.put("message", "Session had already ended");
        return Reply.ok(body);
    }

    private ObjectNode shown(TreeStop stop) {
        var body =
                Json.object()
                        .put("ok", true)
                        .put("stop_id", stop.id().value())
                        .put("session_id", stop.top().value())
                        .put("scope", "tree")
                        .put("over", stop.isOver())
                        .put("reason", stop.order().reason())
                        .put("began_at", stop.began().toString())
                        .put("ended_at", stop.ended() == null ? null : stop.ended().toString());
        var sessions = body.putArray("sessions");
        for (var member : stops.kept().membersOf(stop.id())) {
            room.sessions().find(member).ifPresent(s -> sessions.add(shown(s)));
        }
        return body;
    }

    private static ObjectNode shown(Session s) {
        var reason = s.state() instanceof SessionState.Ended end ? end.reason() : null;
        return Json.object()
                .put("session_id", s.id().value())
                .put("session_name", s.name())
                .put("state", StateWord.of(s.state()))
                .put("reason", reason);
    }

    /**
     * Each freeze writes an event, so an agent whose tree has no room for events may not freeze.
     */
    private Reply freeze(Exchange x) {
        return frozen(
                x,
                top -> {
                    var full =
                            x.caller().isAgent()
                                    ? desk.room().forbids(top, Limits.Kind.EVENT_BYTES, 1)
                                    : Optional.<Refusal>empty();
                    return full.isPresent()
                            ? Outcome.refused(full.get())
                            : stops.freeze().freeze(top);
                });
    }

    private Reply frozen(Exchange x, Function<SessionId, Outcome<Integer>> change) {
        return room.writing(
                x,
                Need.ACT,
                s ->
                        x.reply(
                                change.apply(s.id()),
                                touched ->
                                        Reply.ok(
                                                Json.object()
                                                        .put("ok", true)
                                                        .put("session_id", s.id().value())
                                                        .put("sessions", touched))));
    }

    private Reply read(Exchange x) {
        var id = new StopId(x.path("stop"));
        var patience = x.patience("wait");
        return room.transactions()
                .read(() -> {
                    var found = stops.kept().find(id);
                    if (found.isEmpty() || !room.access().sees(x.caller(), found.get().top())) {
                        return Problems.reply(new SessionRefusal.StopUnknown(id.value()));
                    }
                    return patience.isZero()
                            ? Reply.ok(shown(found.get()))
                            : untilOver(id, patience);
                });
    }

    private Reply untilOver(StopId id, Duration patience) {
        var until = desk.clock().instant().plus(patience);
        return new Reply.Patient(
                200,
                time -> {
                    var left = Duration.between(desk.clock().instant(), until);
                    boolean last = left.compareTo(time) <= 0;
                    try (var ear = bell.ear(new Topic.StopOver(id.value()))) {
                        var now = look(id);
                        if (now.get("over").asBoolean()) return now;
                        ear.heard(last ? left : time);
                    }
                    var now = look(id);
                    boolean enough = last || !bell.isOpen() || now.get("over").asBoolean();
                    return enough ? now : null;
                });
    }

    private ObjectNode look(StopId id) {
        return room.transactions().read(() -> shown(stops.kept().find(id).orElseThrow()));
    }
}
