package dev.coppice.live;

import dev.coppice.access.Access;
import dev.coppice.access.Caller;
import dev.coppice.access.Need;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;
import dev.coppice.web.Exchange;
import dev.coppice.web.Rejected;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;

/** GET /sse/sessions: what happens, as it happens, from any number on. */
public final class LiveRoutes {
    private final Transactions transactions;
    private final Sessions sessions;
    private final Journal journal;
    private final Tail tail;
    private final Access access;
    private final Followers followers = new Followers();

    public LiveRoutes(
            Transactions transactions,
            Sessions sessions,
            Journal journal,
            Tail tail,
            Access access) {
        this.transactions = transactions;
        this.sessions = sessions;
        this.journal = journal;
        this.tail = tail;
        this.access = access;
    }

    public List<Route> routes() {
        return List.of(
                Route.get(
                                "/sse/sessions",
                                Need.READ,
                                "Follow what happens; Last-Event-ID is replayed",
                                this::follow)
                        .with(
                                new Route.Query("session_id", "only this session"),
                                new Route.Query("subtree", "only this session id and all below it"),
                                new Route.Query("types", "only these events, with commas"),
                                new Route.Query(
                                        "after",
                                        "replay what came after this number; 0 for everything"),
                                new Route.Query(
                                        "include_init", "false to leave out the first list")));
    }

    private Reply follow(Exchange x) {
        var one = visible(x, "session_id");
        var named = visible(x, "subtree");
        var subtree = named == null && one == null ? x.caller().session() : named;
        var scope = new Journal.Scope(one, one == null ? subtree : null);
        var asked = x.query("types");
        var types = asked == null ? Set.<String>of() : Set.of(asked.split(",", -1));
        var from = from(x);
        boolean init = from == null && !"false".equals(x.query("include_init"));
        var room = room(x.caller());
        var replays = room.replays();
        var follower = new Follower(transactions, journal, sessions, tail, scope, types, replays);
        return new Reply.Stream(out -> {
            try (room) {
                long head = transactions.read(journal::head);
                if (init) new Beginning(transactions, sessions, replays, scope).write(head, out);
                out.flush();
                follower.run(from == null ? head : from, out);
            }
        });
    }

    private Followers.Place room(Caller caller) {
        return followers
                .place(caller)
                .orElseThrow(() ->
                        new Rejected(
                                new RequestRefusal.TooMany(
                                        "event streams", followers.max(caller))));
    }

    private static @Nullable Long from(Exchange x) {
        var last = x.header("Last-Event-ID");
        if (x.query("after") == null && last != null) {
            try {
                return Long.parseLong(last);
            } catch (NumberFormatException _) {
                throw new Rejected(
                        new RequestRefusal.BadValue(
                                "Last-Event-ID", last, "a number this stream has sent"));
            }
        }
        return x.query("after") == null ? null : x.number("after", 0, 0, Long.MAX_VALUE);
    }

    private @Nullable SessionId visible(Exchange x, String query) {
        var value = x.query(query);
        if (value == null) return null;
        if (!SessionId.isShapely(value))
            throw new Rejected(new SessionRefusal.SessionUnknown(value));
        var found =
                transactions.read(
                        () -> access.session(x.caller(), Need.READ, new SessionId(value)));
        return switch (found) {
            case Outcome.Done<Session>(var session) -> session.id();
            case Outcome.Refused<Session>(var refusal) -> throw new Rejected(refusal);
        };
    }
}
