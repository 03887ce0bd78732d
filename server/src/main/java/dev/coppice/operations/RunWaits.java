package dev.coppice.operations;

import dev.coppice.access.Access;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.kernel.Transactions;
import dev.coppice.request.Context;
import dev.coppice.request.TopicNotifier;
import dev.coppice.request.Wait;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.run.Runs;
import dev.coppice.session.Sessions;
import dev.coppice.thread.Deadline;
import dev.coppice.view.Views;
import dev.coppice.wire.Patience;
import dev.coppice.wire.run.RunAnswer;
import dev.coppice.wire.run.RunGone;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Waits for runs to end. A waiting agent has a run of its own, which takes a place on its runner.
 * It counts against no limit while it waits; otherwise two levels of waiting agents could take
 * every place and deadlock.
 */
public final class RunWaits {
    /** The interval of polls without a notification: another coordinator may have ended the run. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    /** The mark of a waiting run outlives its wait by this, until the next wait renews it. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Transactions transactions;
    private final Sessions sessions;
    private final Access access;
    private final Runs runs;
    private final TopicNotifier notifier;
    private final InstantSource clock;
    private final Map<RunId, Integer> waiting = new ConcurrentHashMap<>();

    public RunWaits(Scope scope, Runs runs, TopicNotifier notifier, InstantSource clock) {
        this.transactions = scope.transactions();
        this.sessions = scope.sessions();
        this.access = scope.access();
        this.runs = runs;
        this.notifier = notifier;
        this.clock = clock;
    }

    /** Waits for the end of the run; after {@code patience} the answer is the run as it is. */
    Optional<Wait> after(Context x, RunAnswer run, Patience patience) {
        if (patience.orZero().isZero()) return Optional.empty();
        var id = new RunId(run.runId());
        var by = x.caller().self();
        var until = Deadline.in(patience.orZero());
        return Optional.of(time -> {
            var left = until.left();
            boolean last = left.compareTo(time) <= 0;
            boolean over = isOverWithin(id, by, last ? left : time);
            return over || last || !notifier.isOpen() ? view(x, run) : null;
        });
    }

    /** Shows a run whose session the caller can no longer see as removed. */
    private RunAnswer view(Context x, RunAnswer before) {
        return transactions.read(() ->
                runs.find(new RunId(before.runId()))
                        .filter(run -> access.sees(x.caller(), run.session()))
                        .<RunAnswer>map(run -> Views.run(run, sessions))
                        .orElseGet(() -> removed(before)));
    }

    /** The answer for a run whose session was removed during the wait. */
    private RunAnswer removed(RunAnswer before) {
        return new RunGone(
                before.runId(),
                "stopped",
                "stopped",
                "The session was removed, and this run with it",
                clock.instant().toString(),
                true);
    }

    private boolean isOverWithin(RunId id, @Nullable SessionId by, Duration patience)
            throws InterruptedException {
        try (var subscription = notifier.subscribe(new Topic.RunOver(id))) {
            if (isOver(id)) return true;
            var own = by == null ? null : liveRunOf(by, id);
            if (own != null) begin(own, patience);
            try {
                listen(subscription, id, Deadline.in(patience));
            } finally {
                if (own != null) end(own);
            }
            return isOver(id);
        }
    }

    private void listen(TopicNotifier.Subscription subscription, RunId id, Deadline until)
            throws InterruptedException {
        while (true) {
            var left = until.left();
            if (left.isZero()) return;
            boolean signalled = subscription.await(left.compareTo(LOOK) < 0 ? left : LOOK);
            if (signalled || !notifier.isOpen() || isOver(id)) return;
        }
    }

    private boolean isOver(RunId id) {
        return transactions.read(
                () -> runs.find(id).map(r -> r.state() instanceof RunState.Ended).orElse(true));
    }

    /** The session's live run, unless it is the awaited one, which continues to count. */
    private @Nullable RunId liveRunOf(SessionId session, RunId awaited) {
        return transactions.read(() ->
                runs.liveOf(session).map(Run::id).filter(r -> !r.equals(awaited)).orElse(null));
    }

    private void begin(RunId own, Duration patience) {
        waiting.merge(own, 1, Integer::sum);
        var until = clock.instant().plus(patience).plus(GRACE);
        var run =
                transactions.write(() -> {
                    runs.setWaiting(own, until);
                    return runs.find(own);
                });
        run.map(r -> r.state().held())
                .ifPresent(
                        lease -> notifier.accept(new Topic.RunnerHasRoom(lease.holder().runner())));
    }

    private void end(RunId own) {
        Integer left = waiting.computeIfPresent(own, (_, n) -> n > 1 ? n - 1 : null);
        if (left != null) return;
        transactions.write(() -> {
            runs.setWaiting(own, null);
            return own;
        });
    }
}
