package dev.coppice.stream;

import dev.coppice.access.Access;
import dev.coppice.access.Caller;
import dev.coppice.access.Need;
import dev.coppice.access.Validity;
import dev.coppice.follow.Follower;
import dev.coppice.follow.Followers;
import dev.coppice.follow.Tail;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.request.Inputs;
import dev.coppice.request.Reply;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;
import dev.coppice.wire.event.EventCalls;

import org.jspecify.annotations.Nullable;

/** GET /sse/sessions: the event stream, live or from a number on. */
public final class StreamRoutes {
    private final Transactions transactions;
    private final Sessions sessions;
    private final Journal journal;
    private final Tail tail;
    private final Wanted.Knowing knowing;
    private final Access access;
    private final Validity validity;
    private final Followers followers;

    public StreamRoutes(
            Transactions transactions,
            Sessions sessions,
            Journal journal,
            Tail tail,
            Followers followers,
            Wanted.Knowing knowing,
            Access access,
            Validity validity) {
        this.transactions = transactions;
        this.sessions = sessions;
        this.journal = journal;
        this.tail = tail;
        this.followers = followers;
        this.knowing = knowing;
        this.access = access;
        this.validity = validity;
    }

    public Route route() {
        return new Route(
                EventCalls.FOLLOW,
                Need.READ,
                x -> {
                    var call = EventCalls.FOLLOW;
                    var in =
                            Inputs.read(
                                    call.input(),
                                    part -> {
                                        var value = x.query(part.name());
                                        return value == null ? null : Json.tree(value);
                                    });
                    return follow(x.caller(), in, from(in, x.header("Last-Event-ID")));
                });
    }

    private Reply follow(Caller caller, EventCalls.Follow in, @Nullable Long from) {
        var one = visible(caller, in.sessionId());
        var named = visible(caller, in.subtree());
        var subtree = named == null && one == null ? caller.session() : named;
        var scope = new Journal.Scope(one, one == null ? subtree : null);
        var wanted = new Wanted(knowing, in.kinds());
        boolean init = from == null && in.includeInit();
        var place = followers.enter(caller);
        return new Reply.Stream(out -> {
            try (place;
                    var follower = Follower.of(tail, place, caller, scope, validity)) {
                long head = transactions.read(journal::head);
                if (init) new Beginning(transactions, sessions, place, scope).write(head, out);
                out.flush();
                new SessionStream(wanted, out).run(follower, from == null ? head : from);
            }
        });
    }

    /** The number that a reconnecting client has seen; {@code after} wins over the header. */
    private static @Nullable Long from(EventCalls.Follow in, @Nullable String last) {
        if (in.after() != null || last == null) return in.after();
        try {
            return Long.parseLong(last);
        } catch (NumberFormatException _) {
            throw new Rejected(
                    new RequestRefusal.BadValue(
                            "Last-Event-ID", last, "a number this stream has sent"));
        }
    }

    private @Nullable SessionId visible(Caller caller, @Nullable String value) {
        if (value == null) return null;
        if (!SessionId.isValid(value)) {
            throw new Rejected(new SessionRefusal.SessionUnknown(value));
        }
        var found =
                transactions.read(() -> access.session(caller, Need.READ, new SessionId(value)));
        return switch (found) {
            case Outcome.Done<Session>(var session) -> session.id();
            case Outcome.Refused<Session>(var refusal) -> throw new Rejected(refusal);
        };
    }
}
