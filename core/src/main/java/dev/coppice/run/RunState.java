package dev.coppice.run;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** The state of a run. Each state carries only the data that is valid in it. */
public sealed interface RunState {
    Instant since();

    record Queued(Instant since) implements RunState {}

    /** A session runs before this run, and decides whether it may be queued. */
    record Hooked(Instant since) implements RunState {}

    /** A runner holds the run, but must confirm the claim before it starts a process. */
    record Claimed(Lease lease, Instant since) implements RunState {}

    record Running(Lease lease, Instant since) implements RunState {}

    /** A stop was requested, for this {@code reason}. */
    record Stopping(Lease lease, Instant since, Instant deadline, String reason)
            implements RunState {}

    sealed interface Ended extends RunState {
        String reason();

        /** The holder at the end, by which a repeated report is recognised. */
        @Nullable Holder by();
    }

    record Finished(Instant since, String reason, @Nullable Holder by) implements Ended {}

    record Failed(Instant since, String reason, @Nullable Holder by) implements Ended {}

    record Stopped(Instant since, String reason, @Nullable Holder by) implements Ended {}

    record TimedOut(Instant since, String reason, @Nullable Holder by) implements Ended {}

    record Lost(Instant since, String reason, @Nullable Holder by) implements Ended {}

    /** False while the run waits: no runner has it yet. */
    default boolean isTaken() {
        return !(this instanceof Queued || this instanceof Hooked);
    }

    /** The reason of the state, if it has one. */
    default @Nullable String why() {
        return switch (this) {
            case Ended end -> end.reason();
            case Stopping stopping -> stopping.reason();
            case Queued _, Hooked _, Claimed _, Running _ -> null;
        };
    }

    /** Returns the lease, if a runner holds the run. */
    default @Nullable Lease held() {
        return switch (this) {
            case Claimed(var lease, _) -> lease;
            case Running(var lease, _) -> lease;
            case Stopping(var lease, _, _, _) -> lease;
            case Queued _, Hooked _, Ended _ -> null;
        };
    }
}
