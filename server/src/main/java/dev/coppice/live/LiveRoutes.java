package dev.coppice.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.session.Session;
import dev.coppice.session.SessionFilter;
import dev.coppice.session.Sessions;
import dev.coppice.view.Views;
import dev.coppice.web.Exchange;
import dev.coppice.web.Rejected;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Set;

/** GET /sse/sessions: what happens, as it happens, from any number on. */
public final class LiveRoutes {
    private static final int INIT_SESSIONS_MAX = Bounds.PAGE_ITEMS_MAX;
    private final Transactions transactions;
    private final Sessions sessions;
    private final Journal journal;
    private final Tail tail;
    private final Access access;

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
        var follower = new Follower(transactions, journal, sessions, tail, scope, types);
        return new Reply.Stream(out -> {
            var beginning = beginning(scope);
            if (init) out.write(beginning.init().written().getBytes(UTF_8));
            out.flush();
            follower.run(from == null ? beginning.head() : from, out);
        });
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

    private record Beginning(long head, SseFrame init) {}

    /**
     * The sessions there are, the newest of them when there are very many. The number is read
     * first: what changes while the list is read is told again, never missed.
     */
    private Beginning beginning(Journal.Scope scope) {
        return transactions.read(() -> {
            long head = journal.head();
            var id = Long.toString(head);
            return new Beginning(head, new SseFrame(id, "init", list(scope).toString()));
        });
    }

    private ObjectNode list(Journal.Scope scope) {
        var body = Json.object();
        if (scope.session() != null) {
            var only = sessions.find(scope.session()).stream().map(Views::session).toList();
            body.set("sessions", Json.tree(only));
            return body;
        }
        var filter =
                scope.subtree() == null
                        ? SessionFilter.ALL
                        : SessionFilter.ALL.within(scope.subtree());
        var page = sessions.list(filter, Cursor.first(INIT_SESSIONS_MAX));
        body.set("sessions", Json.tree(page.items().stream().map(Views::session).toList()));
        return body.put("next", page.next());
    }
}
