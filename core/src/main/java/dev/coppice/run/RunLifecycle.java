package dev.coppice.run;

import dev.coppice.run.RunEvent.*;
import dev.coppice.run.RunState.*;

/** The one place where a run changes state. Pure: no clock, no store, no log. */
final class RunLifecycle {
    private RunLifecycle() {}

    public static Step next(RunState state, RunEvent event) {
        return switch (state) {
            case Queued _ -> ofQueued(state, event);
            case Hooked _ -> ofHooked(state, event);
            case Claimed(var lease, var since) -> ofClaimed(state, lease, since, event);
            case Running(var lease, var since) -> ofRunning(state, lease, since, event);
            case Stopping stopping -> ofStopping(stopping, event);
            case Ended _ -> refused(state, event);
        };
    }

    private static Step ofQueued(RunState state, RunEvent event) {
        return switch (event) {
            case Taken(var lease, var at) -> to(new Claimed(lease, at));
            case StopAsked(var at, _, var reason) -> to(new Stopped(at, reason, null));
            case RanOutOfTime(var at, var reason) -> to(new TimedOut(at, reason, null));
            case ClaimLapsed _,
                    Confirmed _,
                    Renewed _,
                    Completed _,
                    Broke _,
                    StopConfirmed _,
                    RunnerVanished _,
                    HookPassed _,
                    HookBlocked _ ->
                    refused(state, event);
        };
    }

    private static Step ofHooked(RunState state, RunEvent event) {
        return switch (event) {
            case HookPassed(var at) -> to(new Queued(at));
            case HookBlocked(var at, var reason) -> to(new Failed(at, reason, null));
            case StopAsked(var at, _, var reason) -> to(new Stopped(at, reason, null));
            case RanOutOfTime(var at, var reason) -> to(new TimedOut(at, reason, null));
            case Taken _,
                    ClaimLapsed _,
                    Confirmed _,
                    Renewed _,
                    Completed _,
                    Broke _,
                    StopConfirmed _,
                    RunnerVanished _ ->
                    refused(state, event);
        };
    }

    private static Step ofClaimed(
            RunState state, Lease lease, java.time.Instant since, RunEvent event) {
        return switch (event) {
            // No process was started, so the run can safely be queued again.
            case ClaimLapsed(var at, _) -> to(new Queued(at));
            case Confirmed(var by, var until, var at) when lease.isHeldBy(by, at) ->
                    to(new Running(lease.renewed(until), at));
            case Renewed(var by, var until, var at) when lease.isHeldBy(by, at) ->
                    to(new Claimed(lease.renewed(until), since));
            case Broke(var by, var reason, var at) when lease.isHeldBy(by, at) ->
                    to(new Failed(at, reason, by));
            case StopConfirmed(var by, var how, var at) when lease.isHeldBy(by, at) ->
                    to(new Stopped(at, "stopped by its runner (" + how + ")", by));
            case StopAsked(var at, var deadline, var reason) ->
                    to(new Stopping(lease, at, deadline, reason));
            case RunnerVanished(var at, _) -> to(new Queued(at));
            case Taken _,
                    Confirmed _,
                    Renewed _,
                    Completed _,
                    Broke _,
                    StopConfirmed _,
                    RanOutOfTime _,
                    HookPassed _,
                    HookBlocked _ ->
                    refused(state, event);
        };
    }

    private static Step ofRunning(
            RunState state, Lease lease, java.time.Instant since, RunEvent event) {
        return switch (event) {
            case Renewed(var by, var until, var at) when lease.isHeldBy(by, at) ->
                    to(new Running(lease.renewed(until), since));
            case Completed(var by, var at) when lease.isHeldBy(by, at) ->
                    to(new Finished(at, "completed", by));
            case Broke(var by, var reason, var at) when lease.isHeldBy(by, at) ->
                    to(new Failed(at, reason, by));
            case StopConfirmed(var by, var how, var at) when lease.isHeldBy(by, at) ->
                    to(new Stopped(at, "stopped by its runner (" + how + ")", by));
            case StopAsked(var at, var deadline, var reason) ->
                    to(new Stopping(lease, at, deadline, reason));
            case RanOutOfTime(var at, var reason) -> to(new TimedOut(at, reason, lease.holder()));
            // A vanished runner may have done half the work, so the run does not start over.
            case RunnerVanished(var at, var reason) -> to(new Lost(at, reason, lease.holder()));
            case Taken _,
                    ClaimLapsed _,
                    Confirmed _,
                    Renewed _,
                    Completed _,
                    Broke _,
                    StopConfirmed _,
                    HookPassed _,
                    HookBlocked _ ->
                    refused(state, event);
        };
    }

    private static Step ofStopping(Stopping state, RunEvent event) {
        var lease = state.lease();
        return switch (event) {
            case Renewed(var by, var until, var at) when lease.isHeldBy(by, at) ->
                    to(
                            new Stopping(
                                    lease.renewed(until),
                                    state.since(),
                                    state.deadline(),
                                    state.reason()));
            case StopConfirmed(var by, var how, var at) when lease.isHeldBy(by, at) ->
                    to(new Stopped(at, state.reason() + " (" + how + ")", by));
            // Ended before the stop reached it: trust the reported end.
            case Completed(var by, var at) when lease.isHeldBy(by, at) ->
                    to(new Finished(at, "completed", by));
            case Broke(var by, var reason, var at) when lease.isHeldBy(by, at) ->
                    to(new Failed(at, reason, by));
            case RanOutOfTime(var at, var reason) -> to(new TimedOut(at, reason, lease.holder()));
            case RunnerVanished(var at, var reason) -> to(new Lost(at, reason, lease.holder()));
            case Taken _,
                    ClaimLapsed _,
                    Confirmed _,
                    Renewed _,
                    Completed _,
                    Broke _,
                    StopAsked _,
                    StopConfirmed _,
                    HookPassed _,
                    HookBlocked _ ->
                    refused(state, event);
        };
    }

    /** The result of an event: the new state, or a refusal. */
    public sealed interface Step {
        record Moved(RunState state) implements Step {}

        record Refused(RunState state, RunEvent event) implements Step {}
    }

    private static Step to(RunState state) {
        return new Step.Moved(state);
    }

    private static Step refused(RunState state, RunEvent event) {
        return new Step.Refused(state, event);
    }
}
