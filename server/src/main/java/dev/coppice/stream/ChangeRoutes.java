package dev.coppice.stream;

import dev.coppice.access.Caller;
import dev.coppice.access.Need;
import dev.coppice.access.Validity;
import dev.coppice.follow.Follower;
import dev.coppice.follow.Followers;
import dev.coppice.follow.Tail;
import dev.coppice.journal.Journal;
import dev.coppice.request.Inputs;
import dev.coppice.request.Reply;
import dev.coppice.web.Exchange;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;
import dev.coppice.wire.event.ChangeCalls;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;

/** GET /sse/changes: which sessions have changed. */
public final class ChangeRoutes {
    private final Tail tail;
    private final Validity validity;
    private final InstantSource clock;
    private final Followers followers;

    public ChangeRoutes(Tail tail, Followers followers, Validity validity, InstantSource clock) {
        this.tail = tail;
        this.followers = followers;
        this.validity = validity;
        this.clock = clock;
    }

    public Route route() {
        return new Route(ChangeCalls.FOLLOW, Need.READ, x -> follow(x.caller(), from(x)));
    }

    private Reply follow(Caller caller, @Nullable Long after) {
        var place = followers.enter(caller);
        return new Reply.Stream(out -> {
            try (place;
                    var follower = Follower.of(tail, place, caller, Journal.Scope.ALL, validity)) {
                new ChangeStream(follower, clock, out).run(after);
            }
        });
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
