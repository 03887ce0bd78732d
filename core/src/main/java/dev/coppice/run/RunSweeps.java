package dev.coppice.run;

import java.util.List;
import java.util.function.Supplier;

/**
 * What time alone decides about runs. Each sweep takes no input, does a bounded amount of work in
 * one transaction, says how much it did, and can run at any moment, twice, or on several
 * coordinators at once.
 */
public final class RunSweeps {
    private static final int RUNS_PER_SWEEP_MAX = 200;
    private final Desk desk;
    private final MoveRun move;

    public RunSweeps(Desk desk) {
        this.desk = desk;
        this.move = new MoveRun(desk);
    }

    /**
     * A run is lost if and only if its lease has ended and its runner had confirmed it. One that
     * was claimed but never confirmed has no process, and goes back to the queue.
     */
    public int lostRuns() {
        return sweep(
                () -> desk.runs().leasedUntil(desk.clock().instant(), RUNS_PER_SWEEP_MAX),
                run -> {
                    var now = desk.clock().instant();
                    return run.state() instanceof RunState.Claimed
                            ? new RunEvent.ClaimLapsed(now, "claim not confirmed in time")
                            : new RunEvent.RunnerVanished(
                                    now, "Runner disconnected during execution");
                });
    }

    /** A queued run that no runner could take in time is ended and says so. */
    public int unmatchedRuns() {
        return sweep(
                () -> desk.runs().unmatchedAt(desk.clock().instant(), RUNS_PER_SWEEP_MAX),
                _ ->
                        new RunEvent.RanOutOfTime(
                                desk.clock().instant(),
                                "No matching runner available within timeout"));
    }

    private int sweep(Supplier<List<Run>> due, java.util.function.Function<Run, RunEvent> what) {
        return desk.transactions()
                .write(() -> {
                    int moved = 0;
                    for (var run : due.get()) {
                        var outcome = move.move(run, what.apply(run));
                        if (outcome instanceof dev.coppice.kernel.Outcome.Done<Run>) moved++;
                    }
                    return moved;
                });
    }
}
