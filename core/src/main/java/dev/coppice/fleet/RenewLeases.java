package dev.coppice.fleet;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.run.Holder;
import dev.coppice.run.Ports;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.run.TakeRun;
import dev.coppice.session.Limits;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Handles heartbeats. A fenced runner names each run with its fence; an unfenced one names none,
 * and renews all leases it holds.
 */
public final class RenewLeases {
    private final Ports ports;
    private final Runners runners;
    private final Leases leases;
    private final TakeRun take;

    public RenewLeases(Ports ports, Runners runners, Leases leases) {
        this.ports = ports;
        this.runners = runners;
        this.leases = leases;
        this.take = new TakeRun(ports);
    }

    /**
     * The runs that the runner has lost, and those to stop, to suspend, or to end because their
     * tree exceeds its output limit.
     */
    public record Answer(
            List<RunId> lost, List<Run> stopping, List<RunId> frozen, List<RunId> overfull) {}

    /**
     * The fence of a run, whether its agent printed since the last heartbeat, and how much output
     * it has.
     */
    public record Held(long fence, boolean heard, long outputBytes) {}

    /**
     * A renewal that arrived in time counts, however long it waits; it goes before other writes.
     */
    public Outcome<Answer> renew(RunnerId id, Map<RunId, Held> runs) {
        var came = ports.clock().instant();
        return ports.transactions()
                .writeBeforeOthers(() -> {
                    var found = runners.find(id);
                    if (found.isEmpty()) {
                        return Outcome.refused(new RunRefusal.RunnerUnknown(id.value()));
                    }
                    var runner = found.get().seenAt(ports.clock().instant());
                    runners.save(runner);
                    return Outcome.done(
                            switch (runner.protocol()) {
                                case FENCED -> renewNamed(runner, runs, came);
                                case UNFENCED -> renewAll(runner, came);
                            });
                });
    }

    /**
     * Extends every lease to its full length from now, because no runner could renew. Returns how
     * many it extended.
     */
    public int extendAllLeases() {
        return ports.transactions()
                .write(() -> {
                    int extended = 0;
                    for (var runner : runners.all()) {
                        var until = ports.clock().instant().plus(leases.ofRun(runner.protocol()));
                        extended += ports.runs().extendLeases(runner.id(), until);
                    }
                    ports.runs().forgiveSilence(ports.clock().instant());
                    return extended;
                });
    }

    private Answer renewNamed(Runner runner, Map<RunId, Held> runs, Instant came) {
        var lost = new ArrayList<RunId>();
        var stopping = new ArrayList<Run>();
        var frozen = new ArrayList<RunId>();
        var overfull = new ArrayList<RunId>();
        runs.forEach((id, held) -> {
            var by = new Holder(runner.id(), held.fence());
            var renewed =
                    ports.runs()
                            .find(id)
                            .map(r -> take.renew(r, by, leases.ofRun(runner.protocol()), came))
                            .orElse(Outcome.refused(new RunRefusal.RunUnknown(id.value())));
            switch (renewed) {
                case Outcome.Done<Run>(var run) -> {
                    if (held.heard() && run.task().terms().silence() != null) {
                        ports.runs().extendTimeouts(id, Duration.ZERO, ports.clock().instant());
                    }
                    if (exceedsLimit(run, held.outputBytes())) overfull.add(id);
                    if (run.state() instanceof RunState.Stopping) stopping.add(run);
                    else if (isFrozen(run)) frozen.add(id);
                }
                case Outcome.Refused<Run> _ -> lost.add(id);
            }
        });
        return new Answer(
                List.copyOf(lost),
                List.copyOf(stopping),
                List.copyOf(frozen),
                List.copyOf(overfull));
    }

    /** True if the run itself printed more and its tree is over the limit; other runs go on. */
    private boolean exceedsLimit(Run run, long outputBytes) {
        return ports.runs().setOutput(run.id(), outputBytes)
                && ports.room().forbids(run.session(), Limits.Kind.OUTPUT_BYTES, 0).isPresent();
    }

    private boolean isFrozen(Run run) {
        var session = ports.sessions().find(run.session());
        return session.isPresent() && session.get().standing().frozen() != null;
    }

    private Answer renewAll(Runner runner, Instant came) {
        var stopping = new ArrayList<Run>();
        for (var seen : ports.runs().heldBy(runner.id())) {
            var run = ports.runs().find(seen.id()).orElse(seen);
            var lease = run.state().held();
            if (lease == null) continue;
            take.renew(run, lease.holder(), leases.ofRun(runner.protocol()), came);
            if (run.state() instanceof RunState.Stopping) stopping.add(run);
        }
        return new Answer(List.of(), List.copyOf(stopping), List.of(), List.of());
    }
}
