package dev.coppice.fleet;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.run.Holder;
import dev.coppice.run.Lane;
import dev.coppice.run.Lease;
import dev.coppice.run.Ports;
import dev.coppice.run.Run;
import dev.coppice.run.TakeRun;
import dev.coppice.session.Limits;
import dev.coppice.session.Profile;
import dev.coppice.session.Session;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/** Claims the oldest runs that a runner can take, each with a lease and a new, higher fence. */
public final class ClaimRun {
    /** So many runs that may not be claimed are passed over within one write. */
    private static final int LOOKED_AT_MAX = 1_000;

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

    /**
     * A runner's request for at most {@code max} runs. A runner confirms every claim it receives
     * before it asks {@code again}, so the unconfirmed ones were in lost answers. {@code runners}
     * is the number of runners that share the work.
     */
    public record Ask(boolean again, int max, int runners, Which which) {
        public static final Ask ONE = new Ask(false, 1, 1);

        public Ask(boolean again, int max, int runners) {
            this(again, max, runners, Which.ALL);
        }
    }

    /** The runs that may be claimed. */
    public enum Which {
        ALL,
        /** Runs whose parent has a live run, which may wait for them. */
        AWAITED
    }

    /** Claims the oldest runs that the runner can take; queues its lost claims again first. */
    public Outcome<List<Claim>> claim(RunnerId id, Ask ask) {
        return ports.transactions()
                .write(() -> {
                    var runner = runners.find(id);
                    if (runner.isEmpty()) {
                        return Outcome.refused(new RunRefusal.RunnerUnknown(id.value()));
                    }
                    if (ask.again()) ports.runs().heldBy(id, "claimed").forEach(take::returned);
                    return Outcome.done(claimFor(runner.get(), ask));
                });
    }

    /** Takes the oldest of the first runs of the lanes that this runner can take. */
    private List<Claim> claimFor(Runner runner, Ask ask) {
        int room = room(runner);
        if (room <= 0) return List.of();
        var lanes =
                ports.runs().lanes().stream()
                        .filter(lane -> Match.between(lane.demands(), runner))
                        .filter(lane -> breaker.letsThrough(ports, lane.account()))
                        .toList();
        int most = share(lanes, Math.min(room, ask.max()), ask.runners());
        var waiting = new PriorityQueue<Waiting>(Comparator.comparingLong(w -> w.first().place()));
        for (var lane : lanes) addFirst(waiting, lane, 0);
        var claims = new ArrayList<Claim>();
        long size = 0;
        int looked = 0;
        while (!waiting.isEmpty() && claims.size() < most && size < Bounds.PAGE_BYTES_MAX) {
            var next = waiting.remove();
            if (ask.which() == Which.AWAITED && !isAwaited(next.first().run())) {
                if (++looked < LOOKED_AT_MAX) addFirst(waiting, next.lane(), next.first().place());
                continue;
            }
            // The claims before this one may have been the last that the account allows.
            if (!breaker.letsThrough(ports, next.lane().account())) continue;
            var claim = claimFor(runner, next.first());
            if (claim.isPresent()) {
                claims.add(claim.get());
                var task = claim.get().run().task();
                size += task.parameters().value().length() + task.definition().value().length();
            }
            addFirst(waiting, next.lane(), next.first().place());
        }
        return claims;
    }

    /** An equal share of what is queued, so that the other runners get theirs. */
    private int share(List<Lane> lanes, int max, int runners) {
        if (max == 1) return 1;
        long queued =
                lanes.stream().mapToLong(lane -> ports.runs().countIn(lane, max * runners)).sum();
        return Math.clamp(queued / runners, 1, max);
    }

    private boolean isAwaited(Run run) {
        return ports.sessions()
                .find(run.session())
                .map(session -> session.place().parentId())
                .flatMap(parent -> ports.runs().liveOf(parent))
                .filter(live -> live.state().isTaken())
                .isPresent();
    }

    private record Waiting(Lane lane, Lane.First first) {}

    private void addFirst(PriorityQueue<Waiting> waiting, Lane lane, long after) {
        ports.runs().firstIn(lane, after).ifPresent(first -> waiting.add(new Waiting(lane, first)));
    }

    private int room(Runner runner) {
        int busy = ports.runs().countBusy(runner.id(), ports.clock().instant());
        return runner.skills().capacity() - busy;
    }

    /** True if the runner works on as many runs as it can. */
    public boolean isFull(RunnerId id) {
        return ports.transactions()
                .read(() -> runners.find(id).filter(runner -> room(runner) <= 0).isPresent());
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

    private Optional<Claim> claimFor(Runner runner, Lane.First first) {
        var session = ports.sessions().find(first.run().session());
        if (session.isEmpty()) return Optional.empty();
        var spent = ports.budgetCheck().spentAbove(ports, session.get().id());
        if (spent.isPresent()) {
            ports.runs().setAside(spent.get(), session.get().id());
            return Optional.empty();
        }
        var now = ports.clock().instant();
        var holder = new Holder(runner.id(), first.fence());
        var lease = new Lease(holder, now.plus(leases.ofClaim(runner.protocol())));
        return switch (take.take(first.run(), lease)) {
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
