package dev.coppice.http;

import dev.coppice.access.Need;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.run.Desk;
import dev.coppice.run.Purse;
import dev.coppice.session.NewSession;
import dev.coppice.session.ParentClaim;
import dev.coppice.session.Profile;
import dev.coppice.session.Session;
import dev.coppice.session.SessionFilter;
import dev.coppice.session.SessionType;
import dev.coppice.session.Standing;
import dev.coppice.session.StartSession;
import dev.coppice.session.StateWord;
import dev.coppice.view.Views;
import dev.coppice.view.Words;
import dev.coppice.web.Exchange;
import dev.coppice.web.Once;
import dev.coppice.web.Problems;
import dev.coppice.web.Rejected;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;
import dev.coppice.wire.SessionBody;
import dev.coppice.wire.StartSessionRequest;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Sessions: the list, one of them, and one made without a run. */
public final class SessionRoutes {
    private final Room room;
    private final StartSession start;
    private final Desk desk;
    private final Once once;

    public SessionRoutes(Room room, StartSession start, Desk desk, Once once) {
        this.desk = desk;
        this.room = room;
        this.start = start;
        this.once = once;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/sessions", Need.READ, "List sessions, newest first", this::list)
                        .paged()
                        .with(
                                new Route.Query("status", "a state, or several with commas"),
                                new Route.Query("root", "only the tree of this session id"),
                                new Route.Query("parent", "only children of this session id"),
                                new Route.Query("type", "only sessions of this type"),
                                new Route.Query("name", "only names beginning so")),
                Route.post("/sessions", Need.SPAWN, "Make a session without a run", this::create)
                        .takes(StartSessionRequest.class)
                        .gives(SessionBody.Done.class),
                Route.get(
                                "/sessions/by-name/{name}",
                                Need.READ,
                                "Find a session by name",
                                this::named)
                        .gives(SessionBody.class),
                Route.get("/sessions/{id}", Need.READ, "Read a session", this::read)
                        .gives(SessionBody.class),
                Route.get(
                        "/sessions/{id}/status",
                        Need.READ,
                        "Read only the status; never 404",
                        this::status));
    }

    private Reply list(Exchange x) {
        return room.transactions()
                .read(() -> {
                    var filter = filter(x);
                    var page = room.sessions().list(filter, x.cursor());
                    return Reply.ok(Listed.as("sessions", page, Views::session));
                });
    }

    private SessionFilter filter(Exchange x) {
        var type = Room.ASKED.word("type", x.query("type"), SessionType.class);
        var root = known(x, "root");
        var parent = known(x, "parent");
        var filter = new SessionFilter(states(x.query("status")), type, prefix(x), parent, root);
        var own = x.caller().session();
        return own == null || root != null || parent != null ? filter : filter.within(own);
    }

    private static @Nullable String prefix(Exchange x) {
        var name = x.query("name");
        return name == null ? null : Room.ASKED.sessionName(name);
    }

    /** A session that a filter names must be one the caller may see. */
    private @Nullable SessionId known(Exchange x, String query) {
        var id = Room.ASKED.sessionId(x.query(query));
        if (id == null) return null;
        return switch (room.access().session(x.caller(), Need.READ, id)) {
            case Outcome.Done<Session>(var session) -> session.id();
            case Outcome.Refused<Session>(var refusal) -> throw new Rejected(refusal);
        };
    }

    static Set<String> states(@Nullable String asked) {
        if (asked == null) return Set.of();
        var states = new java.util.LinkedHashSet<String>();
        for (var word : asked.split(",", -1)) {
            var meant = Words.sessionStates(word, StateWord.ALL);
            if (meant.isEmpty()) {
                throw Room.ASKED.bad("status", word, "one of " + String.join(", ", StateWord.ALL));
            }
            states.addAll(meant);
        }
        return states;
    }

    private Reply create(Exchange x) {
        var body = x.body(StartSessionRequest.class);
        var newcomer =
                new NewSession(
                        Room.ASKED.sessionId(body.sessionId()),
                        Room.ASKED.sessionName(body.sessionName()),
                        Room.ASKED.word("session_type", body.sessionType(), SessionType.class),
                        Room.ASKED
                                .parent(body.parentSessionId(), body.parentSessionName())
                                .orElse(x.inheritedParent()),
                        profile(body),
                        Room.ASKED.limits(body.limits()),
                        Room.ASKED.word(
                                "on_parent_end", body.onParentEnd(), Standing.OnParentEnd.class));
        return once.perform(x, () -> room.transactions().write(() -> born(x, newcomer)));
    }

    private Reply born(Exchange x, NewSession newcomer) {
        var forbidden = parentForbidden(room, x, newcomer.parent());
        if (forbidden != null) return Problems.reply(forbidden);
        var spent =
                parent(newcomer.parent())
                        .flatMap(p -> desk.purse().forbids(desk, p, Purse.New.SESSION));
        if (spent.isPresent()) return Problems.reply(spent.get());
        return x.reply(
                start.start(newcomer),
                session -> Reply.created(new SessionBody.Done(true, Views.session(session))));
    }

    private Optional<SessionId> parent(ParentClaim claim) {
        if (claim.id() == null) {
            return claim.name() == null
                    ? Optional.empty()
                    : room.sessions().named(claim.name()).map(Session::id);
        }
        return SessionId.isShapely(claim.id())
                ? room.sessions().find(new SessionId(claim.id())).map(Session::id)
                : Optional.empty();
    }

    /** An agent starts sessions at or below itself; any other parent does not exist for it. */
    static @Nullable Refusal parentForbidden(Room room, Exchange x, ParentClaim claim) {
        if (x.caller().session() == null) return null;
        var parent =
                claim.id() != null
                        ? SessionId.isShapely(claim.id())
                                ? room.sessions().find(new SessionId(claim.id()))
                                : java.util.Optional.<Session>empty()
                        : room.sessions().named(String.valueOf(claim.name()));
        boolean visible = parent.isPresent() && room.access().sees(x.caller(), parent.get().id());
        return visible ? null : new SessionRefusal.ParentUnknown(claim.asSaid());
    }

    private static Profile profile(StartSessionRequest body) {
        return new Profile(
                Room.ASKED.path("project_dir", body.projectDir()),
                Room.ASKED.label("agent_name", body.agentName()),
                Room.ASKED.label("source_app", body.sourceApp()),
                Room.ASKED.object("metadata", body.metadata(), Bounds.METADATA_BYTES_MAX),
                Profile.Binding.NONE);
    }

    private Reply named(Exchange x) {
        return room.transactions()
                .read(() ->
                        room.sessions()
                                .named(x.path("name"))
                                .filter(s -> room.access().sees(x.caller(), s.id()))
                                .map(SessionRoutes::shown)
                                .orElseGet(() ->
                                        Problems.reply(
                                                room.access()
                                                        .noneNamed(x.caller(), x.path("name")))));
    }

    private Reply read(Exchange x) {
        return room.reading(x, SessionRoutes::shown);
    }

    private static Reply shown(Session session) {
        return Reply.ok(new SessionBody(Views.session(session)));
    }

    private Reply status(Exchange x) {
        return room.transactions()
                .read(() -> {
                    var id = x.path("id");
                    var found =
                            SessionId.isShapely(id)
                                    ? room.access()
                                            .session(x.caller(), Need.READ, new SessionId(id))
                                    : Outcome.<Session>refused(
                                            new SessionRefusal.SessionUnknown(id));
                    return Reply.ok(Json.object().put("status", statusOf(found)));
                });
    }

    private static String statusOf(Outcome<Session> found) {
        return switch (found) {
            case Outcome.Done<Session>(var session) ->
                    Words.ofSession(StateWord.of(session.state()));
            case Outcome.Refused<Session> _ -> "not_existent";
        };
    }
}
