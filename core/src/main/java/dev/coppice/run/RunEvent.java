package dev.coppice.run;

import java.time.Instant;

/** Something that happened to a run. */
public sealed interface RunEvent {
    Instant at();

    record Taken(Lease lease, Instant at) implements RunEvent {}

    /** The answer with the claim was lost, or the runner did not confirm the claim in time. */
    record ClaimLapsed(Instant at, String reason) implements RunEvent {}

    record Confirmed(Holder by, Instant until, Instant at) implements RunEvent {}

    record Renewed(Holder by, Instant until, Instant at) implements RunEvent {}

    record Completed(Holder by, Instant at) implements RunEvent {}

    record Broke(Holder by, String reason, Instant at) implements RunEvent {}

    record StopAsked(Instant at, Instant deadline, String reason) implements RunEvent {}

    /** {@code how} is the signal that ended it. */
    record StopConfirmed(Holder by, String how, Instant at) implements RunEvent {}

    /** The hook before the run lets it start. */
    record HookPassed(Instant at) implements RunEvent {}

    /** The hook before the run forbids it to start. */
    record HookBlocked(Instant at, String reason) implements RunEvent {}

    record RanOutOfTime(Instant at, String reason) implements RunEvent {}

    record RunnerVanished(Instant at, String reason) implements RunEvent {}
}
