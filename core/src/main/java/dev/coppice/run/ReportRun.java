package dev.coppice.run;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunRefusal;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BiFunction;

/**
 * Handles a runner's reports on a run it holds. Only the holder of the live lease may report, and a
 * repeated report has no further effect. A report counts from its arrival: the wait for the write
 * lock expires no lease.
 */
public final class ReportRun {
    private final Ports ports;
    private final MoveRun move;
    private final RunJournal runJournal;

    public ReportRun(Ports ports) {
        this.ports = ports;
        this.move = new MoveRun(ports);
        this.runJournal = new RunJournal(ports.journal());
    }

    /** Records that the runner received the claim and may start the process; renews the lease. */
    public Outcome<Run> confirmed(RunId id, Holder by, Duration lease) {
        return report(
                id,
                (run, at) -> {
                    boolean again =
                            (run.state() instanceof RunState.Running
                                            || run.state() instanceof RunState.Stopping)
                                    && isHolder(run, by, at);
                    return again
                            ? Outcome.done(run)
                            : move.move(run, new RunEvent.Confirmed(by, until(lease), at));
                });
    }

    private Instant until(Duration lease) {
        return ports.clock().instant().plus(lease);
    }

    public Outcome<Run> completed(RunId id, Holder by, Result result, MoveRun.After after) {
        return report(
                id,
                (run, at) ->
                        hasEndedAs(run, by, RunState.Finished.class)
                                ? Outcome.done(run)
                                : complete(run, result, new RunEvent.Completed(by, at), after));
    }

    private Outcome<Run> complete(
            Run run, Result result, RunEvent.Completed event, MoveRun.After after) {
        // Blank output does not replace a result that the agent reported before.
        if (result.isEmpty() || (result.isSilent() && !run.result().isEmpty())) {
            return move.move(run, event, after);
        }
        // Check first, so that a refused report leaves no result in the journal.
        if (RunLifecycle.next(run.state(), event) instanceof RunLifecycle.Step.Moved) {
            runJournal.result(run.with(result), event.at());
        }
        return move.move(run.with(result), event, after);
    }

    /**
     * Decides if an invalid result goes back to the agent, which happens on the first attempt only.
     * A repeated report of that attempt gets the same answer.
     */
    public boolean sendBackOnce(RunId id, Holder by, int attempt) {
        var now = ports.clock().instant();
        return ports.transactions()
                .write(() -> {
                    var run = ports.runs().find(id);
                    boolean atWork =
                            run.isPresent()
                                    && run.get().state() instanceof RunState.Running
                                    && isHolder(run.get(), by, now);
                    if (!atWork || attempt > 0) return false;
                    ports.runs().setCorrections(id, 1);
                    return true;
                });
    }

    /** Stores a result that was reported before the end of the run; unfenced runners do so. */
    public void brought(Run live, Result result) {
        ports.runs().save(live.with(result));
    }

    public Outcome<Run> failed(RunId id, Holder by, String error) {
        return report(
                id,
                (run, at) ->
                        hasEndedAs(run, by, RunState.Failed.class)
                                ? Outcome.done(run)
                                : move.move(run, new RunEvent.Broke(by, error, at)));
    }

    public Outcome<Run> stopped(RunId id, Holder by, String how) {
        return report(
                id,
                (run, at) ->
                        hasEndedAs(run, by, RunState.Stopped.class)
                                ? Outcome.done(run)
                                : move.move(run, new RunEvent.StopConfirmed(by, how, at)));
    }

    private Outcome<Run> report(RunId id, BiFunction<Run, Instant, Outcome<Run>> how) {
        var came = ports.clock().instant();
        return ports.transactions()
                .write(() ->
                        ports.runs()
                                .find(id)
                                .map(run -> how.apply(run, came))
                                .orElseGet(() ->
                                        Outcome.refused(new RunRefusal.RunUnknown(id.value()))));
    }

    private static boolean isHolder(Run run, Holder by, Instant at) {
        var lease = run.state().held();
        return lease != null && lease.isHeldBy(by, at);
    }

    private static boolean hasEndedAs(Run run, Holder by, Class<? extends RunState.Ended> as) {
        return as.isInstance(run.state())
                && run.state() instanceof RunState.Ended end
                && by.equals(end.by());
    }
}
