package dev.coppice.run;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** Where one run stands. Each state carries only what is true in that state. */
public sealed interface RunState {
    Instant since();

    record Queued(Instant since) implements RunState {}

    /** A runner has it, but no process may start before the runner has confirmed. */
    record Claimed(Lease lease, Instant since) implements RunState {}

    record Running(Lease lease, Instant since) implements RunState {}

    record Stopping(Lease lease, Instant since, Instant deadline) implements RunState {}

    sealed interface Ended extends RunState {
        String reason();

        /** Who held it at its end, so that the same report again is known to be the same. */
        @Nullable Holder by();
    }

    record Finished(Instant since, String reason, @Nullable Holder by) implements Ended {}

    record Failed(Instant since, String reason, @Nullable Holder by) implements Ended {}

    record Stopped(Instant since, String reason, @Nullable Holder by) implements Ended {}

    record TimedOut(Instant since, String reason, @Nullable Holder by) implements Ended {}

    record Lost(Instant since, String reason, @Nullable Holder by) implements Ended {}

    /** The live lease, where there is one. */
    default @Nullable Lease held() {
        return switch (this) {
            case Claimed(var lease, _) -> lease;
            case Running(var lease, _) -> lease;
            case Stopping(var lease, _, _) -> lease;
            case Queued _, Ended _ -> null;
        };
    }
}
