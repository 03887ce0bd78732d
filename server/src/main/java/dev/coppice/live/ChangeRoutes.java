package dev.coppice.live;

import dev.coppice.access.Access;
import dev.coppice.access.Caller;
import dev.coppice.access.Need;
import dev.coppice.access.Validity;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Transactions;
import dev.coppice.operation.Inputs;
import dev.coppice.operation.Reply;
import dev.coppice.web.Exchange;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;
import dev.coppice.wire.session.ChangeCalls;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;

/** GET /sse/changes: which sessions have changed. */
public final class ChangeRoutes {
    private final Transactions transactions;
    private final Journal journal;
    private final Tail tail;
    private final Access access;
    private final Validity validity;
    private final InstantSource clock;
    private final Followers followers = new Followers();

    public ChangeRoutes(
            Transactions transactions,
            Journal journal,
            Tail tail,
            Access access,
            Validity validity,
            InstantSource clock) {
        this.transactions = transactions;
        this.journal = journal;
        this.tail = tail;
        this.access = access;
        this.validity = validity;
        this.clock = clock;
    }

    public Route route() {
        return new Route(ChangeCalls.FOLLOW, Need.READ, x -> follow(x.caller(), from(x)));
    }

    private Reply follow(Caller caller, @Nullable Long after) {
        var room = followers.enter(caller);
        var stream =
                new ChangeStream(
                        tail,
                        clock,
                        id -> caller.session() == null || sees(caller, id),
                        () -> validity.isGood(caller));
        return new Reply.Stream(out -> {
            try (room) {
                stream.run(after, transactions.read(journal::head), out);
            }
        });
    }

    private boolean sees(Caller caller, SessionId id) {
        return transactions.read(() -> access.sees(caller, id));
    }

    private static @Nullable Long from(Exchange x) {
        var in =
                Inputs.read(
                        ChangeCalls.FOLLOW.input(),
                        part -> {
                            var value = x.query(part.name());
                            return value == null ? null : Json.tree(value);
                        });
        return in.after();
    }
}
