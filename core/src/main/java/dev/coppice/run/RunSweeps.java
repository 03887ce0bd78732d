package dev.coppice.run;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Topic;
import dev.coppice.session.SessionEvent;
import dev.coppice.session.SessionState;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sweeps that change runs because time has passed. Each does a bounded amount of work, returns how
 * much it did, and can run at any moment, twice, or on several coordinators at once. It compares
 * limits with the time before its wait for the write lock: a report that a runner sent in time may
 * wait there, too.
 */
public final class RunSweeps {
    private static final int RUNS_PER_SWEEP_MAX = 200;
    private static final Duration STOP_OVERDUE = Duration.ofSeconds(60);
    private static final Duration STOP_GRACE = Duration.ofSeconds(10);
    private static final String TOO_OLD = "The session is older than its blueprint allows";
    private final Ports ports;
    private final MoveRun move;

    public RunSweeps(Ports ports) {
        this.ports = ports;
        this.move = new MoveRun(ports);
    }

    /**
     * Handles leases that had expired at {@code asked}, before the wait for the write lock. A
     * confirmed run is lost; a run that was claimed but never confirmed has no process, and is
     * queued again.
     */
    public int lostRuns(Instant asked) {
        return sweep(
                () -> ports.runs().leasedUntil(asked, RUNS_PER_SWEEP_MAX),
                run -> lapsed(run, asked));
    }

    private Optional<RunEvent> lapsed(Run run, Instant asked) {
        var now = ports.clock().instant();
        var lease = run.state().held();
        if (lease == null || !lease.until().isBefore(asked)) return Optional.empty();
        return Optional.of(
                run.state() instanceof RunState.Claimed
                        ? new RunEvent.ClaimLapsed(now, "claim not confirmed in time")
                        : new RunEvent.RunnerVanished(now, "Runner disconnected during execution"));
    }

    /** Times out runs whose agents are silent for too long, and sessions that are too old. */
    public int runsOutOfTime() {
        var now = ports.clock().instant();
        return sweep(
                        () -> ports.runs().silentAt(now, RUNS_PER_SWEEP_MAX),
                        run -> outOfTime(run, "The agent was silent beyond its blueprint's limit"))
                + sweep(
                        () -> ports.runs().outlivedAt(now, RUNS_PER_SWEEP_MAX),
                        run -> outOfTime(run, TOO_OLD))
                + idleSessionsOutOfTime(now);
    }

    /** An idle session has no live run, but its program is still on the last run's runner. */
    private int idleSessionsOutOfTime(Instant now) {
        return ports.transactions()
                .write(() -> {
                    int ended = 0;
                    for (var last : ports.runs().idleOutlivedAt(now, RUNS_PER_SWEEP_MAX)) {
                        var session = ports.sessions().find(last.session()).orElseThrow();
                        var event = new SessionEvent.RanOutOfTime(now, TOO_OLD);
                        if (!(session.state() instanceof SessionState.Idle)
                                || move.moveSession(session, event).isEmpty()) continue;
                        ended++;
                        if (last.state() instanceof RunState.Ended end && end.by() != null) {
                            ports.signals().raise(new Topic.StopWanted(end.by().runner()));
                        }
                    }
                    return ended;
                });
    }

    private Optional<RunEvent> outOfTime(Run run, String why) {
        return run.state() instanceof RunState.Ended
                ? Optional.empty()
                : Optional.of(new RunEvent.RanOutOfTime(ports.clock().instant(), why));
    }

    /** Times out queued runs that no runner could claim in time. */
    public int unmatchedRuns() {
        var now = ports.clock().instant();
        return sweep(
                () -> ports.runs().unmatchedAt(now, RUNS_PER_SWEEP_MAX),
                run -> unmatched(run, now));
    }

    private Optional<RunEvent> unmatched(Run run, Instant now) {
        return run.state() instanceof RunState.Queued && !run.marks().unmatchedAt().isAfter(now)
                ? Optional.of(
                        new RunEvent.RanOutOfTime(
                                now, "No matching runner available within timeout"))
                : Optional.empty();
    }

    /**
     * Ends runs whose runner renews but has not finished a stop long after its deadline. The loss
     * of the run tells the runner to end what is left of it.
     */
    public int overdueStops() {
        var now = ports.clock().instant();
        return ports.transactions()
                .write(() -> {
                    int ended = 0;
                    var due = now.minus(STOP_OVERDUE);
                    for (var session : ports.sessions().stoppingPast(due, RUNS_PER_SWEEP_MAX)) {
                        var run = ports.runs().liveOf(session.id());
                        if (run.isEmpty()) continue;
                        var why = "its runner did not finish the stop in time";
                        var event = new RunEvent.RunnerVanished(now, why);
                        if (move.move(run.get(), event) instanceof Outcome.Done<Run>) ended++;
                    }
                    return ended;
                });
    }

    /** Ends stops of idle sessions that no runner has acknowledged long after the deadline. */
    public int unansweredStops() {
        var now = ports.clock().instant();
        return ports.transactions()
                .write(() -> {
                    int ended = 0;
                    var due = now.minus(STOP_GRACE);
                    for (var session : ports.sessions().stoppingPast(due, RUNS_PER_SWEEP_MAX)) {
                        if (ports.runs().liveOf(session.id()).isPresent()) continue;
                        var event = new SessionEvent.StopConfirmed(now, "no answer from a runner");
                        var held = ports.sessions().find(session.id()).orElse(session);
                        if (move.moveSession(held, event).isPresent()) ended++;
                    }
                    return ended;
                });
    }

    /**
     * Reads each run again before changing it: the end of an earlier one may have ended it, too.
     */
    private int sweep(Supplier<List<Run>> due, Function<Run, Optional<RunEvent>> what) {
        return ports.transactions()
                .write(() -> {
                    int moved = 0;
                    for (var seen : due.get()) {
                        var run = ports.runs().find(seen.id()).orElse(seen);
                        var event = what.apply(run);
                        if (event.isPresent()
                                && move.move(run, event.get()) instanceof Outcome.Done<Run>) {
                            moved++;
                        }
                    }
                    return moved;
                });
    }
}
