package dev.coppice.fleet;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.run.Holder;
import dev.coppice.run.Lease;
import dev.coppice.run.Ports;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.run.TakeRun;
import dev.coppice.session.Limits;
import dev.coppice.session.Profile;
import dev.coppice.session.Session;

import java.util.Optional;

/** Claims for a runner the oldest run it can take, with a lease and a new, higher fence. */
public final class ClaimRun {
    private final Ports ports;
    private final Runners runners;
    private final Leases leases;
    private final Breaker breaker;
    private final TakeRun take;

    public ClaimRun(Ports ports, Runners runners, Leases leases, Breaker breaker) {
        this.breaker = breaker;
        this.ports = ports;
        this.runners = runners;
        this.leases = leases;
        this.take = new TakeRun(ports);
    }

    /** A claimed run with its session, its lease and its limits. */
    public record Claim(Run run, Session session, Lease lease, Limits limits) {}

    public Outcome<Optional<Claim>> claim(RunnerId id) {
        return ports.transactions()
                .write(() -> {
                    var runner = runners.find(id);
                    return runner.isEmpty()
                            ? Outcome.refused(new RunRefusal.RunnerUnknown(id.value()))
                            : Outcome.done(claimFor(runner.get()));
                });
    }

    /**
     * Queues the runner's unconfirmed claims again. A runner confirms every claim it receives
     * before it polls again, so the answer with an unconfirmed claim was lost.
     */
    public void takeBack(RunnerId id) {
        boolean any =
                ports.transactions()
                        .read(() ->
                                ports.runs().heldBy(id).stream()
                                        .anyMatch(r -> r.state() instanceof RunState.Claimed));
        if (!any) return;
        ports.transactions()
                .write(() -> {
                    for (var seen : ports.runs().heldBy(id)) {
                        var run = ports.runs().find(seen.id()).orElse(seen);
                        if (run.state() instanceof RunState.Claimed) take.returned(run);
                    }
                    return id;
                });
    }

    private Optional<Claim> claimFor(Runner runner) {
        var now = ports.clock().instant();
        if (ports.runs().countBusy(runner.id(), now) >= runner.skills().capacity()) {
            return Optional.empty();
        }
        var cursor = Cursor.first(Bounds.PAGE_ITEMS_DEFAULT);
        while (true) {
            var page = ports.runs().queued(cursor);
            for (var run : page.items()) {
                if (!Match.between(run.demands(), runner)) continue;
                var claim = claimFor(runner, run);
                if (claim.isPresent()) return claim;
            }
            if (page.next() == null) return Optional.empty();
            cursor = new Cursor(page.next(), Bounds.PAGE_ITEMS_DEFAULT);
        }
    }

    /** Stores the runner's host and profile: a resumed session continues where it last ran. */
    private Session bound(Session session, Runner runner) {
        var before = session.profile().binding();
        var post = runner.post();
        var here =
                new Profile.Binding(
                        before.executorSessionId(), post.executorProfile(), post.hostname());
        if (here.equals(before)) return session;
        var bound = session.with(session.profile().boundTo(here));
        ports.sessions().save(bound);
        return bound;
    }

    private Optional<Claim> claimFor(Runner runner, Run run) {
        var session = ports.sessions().find(run.session());
        // The list of queued runs is only a snapshot: read the run again.
        var current = ports.runs().find(run.id());
        if (session.isEmpty() || current.isEmpty()) return Optional.empty();
        if (session.get().standing().frozen() != null) return Optional.empty();
        if (!breaker.letsThrough(ports, current.get())) return Optional.empty();
        if (ports.budgetCheck().isSpent(ports, session.get().id())) return Optional.empty();
        var now = ports.clock().instant();
        var holder = new Holder(runner.id(), ports.runs().nextFence(run.id()));
        var lease = new Lease(holder, now.plus(leases.ofClaim(runner.protocol())));
        return switch (take.take(current.get(), lease)) {
            case Outcome.Done<Run>(var taken) ->
                    Optional.of(
                            new Claim(
                                    taken,
                                    bound(session.get(), runner),
                                    lease,
                                    ports.room().ofRun(taken.session())));
            case Outcome.Refused<Run> _ -> Optional.empty();
        };
    }
}
