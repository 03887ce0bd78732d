package dev.coppice.operations;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Wait;
import dev.coppice.session.Session;
import dev.coppice.session.StateWord;
import dev.coppice.wire.session.AwaitCalls;
import dev.coppice.wire.session.AwaitCalls.Awaited;
import dev.coppice.wire.session.AwaitCalls.Seen;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Waits for some of several sessions. */
public final class AwaitSessions {
    private static final String IDLE = "idle";
    private static final String GONE = "removed";

    private final Scope scope;
    private final Watch watch;

    public AwaitSessions(Scope scope, Watch watch) {
        this.scope = scope;
        this.watch = watch;
    }

    public Operation<AwaitCalls.Await, Awaited> operation() {
        return Operation.of(AwaitCalls.AWAIT, Need.READ, this::now).then(this::wait);
    }

    private Outcome<Awaited> now(Context x, AwaitCalls.Await in) {
        if (needed(in) > in.sessionIds().size()) {
            throw Given.bad("count", String.valueOf(in.count()), "at most the number of sessions");
        }
        return scope.transactions()
                .read(() -> {
                    for (var id : in.sessionIds()) {
                        var found = scope.session(x, Need.READ, id);
                        if (found instanceof Outcome.Refused<Session>(var refusal)) {
                            return Outcome.refused(refusal);
                        }
                    }
                    return Outcome.done(seen(x, in));
                });
    }

    private Optional<Wait> wait(Context x, AwaitCalls.Await in, Awaited first) {
        var patience = in.patience().orZero();
        if (first.isMet() || patience.isZero()) return Optional.empty();
        return Optional.of(
                watch.until(
                        new Watch.Subject(
                                new Topic.SessionSaved(),
                                () -> current(x, in).isMet(),
                                () -> current(x, in),
                                () -> current(x, in)),
                        patience));
    }

    private Awaited current(Context x, AwaitCalls.Await in) {
        return scope.transactions().read(() -> seen(x, in));
    }

    private static int needed(AwaitCalls.Await in) {
        return in.count() == null ? in.sessionIds().size() : in.count();
    }

    /** Shows a session that the caller can no longer see as removed. */
    private Awaited seen(Context x, AwaitCalls.Await in) {
        var all =
                new LinkedHashSet<>(in.sessionIds())
                        .stream()
                                .map(id ->
                                        scope.seen(x, new SessionId(id))
                                                .map(AwaitSessions::seen)
                                                .orElseGet(
                                                        () -> new Seen(id, null, GONE, null, true)))
                                .toList();
        long over = all.stream().filter(Seen::isOver).count();
        return new Awaited(over >= Math.min(needed(in), all.size()), List.copyOf(all));
    }

    private static Seen seen(Session session) {
        var state = StateWord.of(session.state());
        boolean isOver = state.equals(IDLE) || !StateWord.ALIVE.contains(state);
        return new Seen(session.id().value(), session.name(), state, session.state().why(), isOver);
    }
}
