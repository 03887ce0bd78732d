package dev.coppice.run;

import dev.coppice.kernel.Demands;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.RunType;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/** One stretch of work of a session on a runner. */
public record Run(
        RunId id,
        SessionId session,
        RunType type,
        ExecutionMode mode,
        Task task,
        Demands demands,
        RunState state,
        Marks marks,
        Result result) {

    /** The times of the run's states, and the end of its wait for a runner. */
    public record Marks(
            Instant queued,
            @Nullable Instant claimed,
            @Nullable Instant started,
            @Nullable Instant ended,
            Instant unmatchedAt) {

        /** Adds the time of the lost claim to the wait: the run had a matching runner then. */
        private Instant later(Instant requeued) {
            return claimed == null
                    ? unmatchedAt
                    : unmatchedAt.plus(Duration.between(claimed, requeued));
        }

        Marks after(RunState state) {
            return switch (state) {
                case RunState.Queued(var at) -> new Marks(queued, null, null, null, later(at));
                case RunState.Hooked _ -> this;
                case RunState.Claimed(_, var at) -> new Marks(queued, at, null, null, unmatchedAt);
                case RunState.Running(_, var at) ->
                        new Marks(queued, claimed, at, null, unmatchedAt);
                case RunState.Stopping _ -> this;
                case RunState.Ended end ->
                        new Marks(queued, claimed, started, end.since(), unmatchedAt);
            };
        }
    }

    /** Returns the run after an event, or why its state forbids the event. */
    public Outcome<Run> on(RunEvent event) {
        return switch (RunLifecycle.next(state, event)) {
            case RunLifecycle.Step.Moved(var next) -> Outcome.done(in(next));
            case RunLifecycle.Step.Refused _ -> Outcome.refused(refusal(event));
        };
    }

    public Run with(JsonText parameters) {
        return new Run(
                id, session, type, mode, task.with(parameters), demands, state, marks, result);
    }

    public Run with(Result brought) {
        return new Run(id, session, type, mode, task, demands, state, marks, brought);
    }

    /** Returns the run with more time to find a runner. */
    public Run unmatchedLater(Duration by) {
        var later =
                new Marks(
                        marks.queued(),
                        marks.claimed(),
                        marks.started(),
                        marks.ended(),
                        marks.unmatchedAt().plus(by));
        return new Run(id, session, type, mode, task, demands, state, later, result);
    }

    private Refusal refusal(RunEvent event) {
        var by = reporter(event);
        if (state instanceof RunState.Ended) {
            return new RunRefusal.RunHasEnded(id, RunWord.of(state));
        }
        if (by != null) {
            var lease = state.held();
            if (lease == null || !lease.isHeldBy(by, event.at())) {
                return new RunRefusal.LeaseLost(id, by.runner());
            }
        }
        return new SessionRefusal.StateForbids(
                "Run '%s'".formatted(id), RunWord.of(state), event.getClass().getSimpleName());
    }

    private static @Nullable Holder reporter(RunEvent event) {
        return switch (event) {
            case RunEvent.Confirmed(var by, _, _) -> by;
            case RunEvent.Renewed(var by, _, _) -> by;
            case RunEvent.Completed(var by, _) -> by;
            case RunEvent.Broke(var by, _, _) -> by;
            case RunEvent.StopConfirmed(var by, _, _) -> by;
            case RunEvent.Taken _,
                    RunEvent.ClaimLapsed _,
                    RunEvent.StopAsked _,
                    RunEvent.RanOutOfTime _,
                    RunEvent.RunnerVanished _,
                    RunEvent.HookPassed _,
                    RunEvent.HookBlocked _ ->
                    null;
        };
    }

    private Run in(RunState next) {
        if (state instanceof RunState.Hooked(var since) && next instanceof RunState.Queued(var at))
            return unmatchedLater(Duration.between(since, at)).at(next);
        return at(next);
    }

    private Run at(RunState next) {
        return new Run(id, session, type, mode, task, demands, next, marks.after(next), result);
    }
}
