package dev.coppice.session;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** The state of a session. Each state carries only the data that is valid in it. */
public sealed interface SessionState {
    Instant since();

    /** Has no run yet, or one that has not started. */
    record Pending(Instant since) implements SessionState {}

    record Running(Instant since) implements SessionState {}

    /** Has no live run, but its program stays alive. */
    record Idle(Instant since) implements SessionState {}

    /** A stop was requested, for this {@code reason}. */
    record Stopping(Instant since, Instant deadline, String reason) implements SessionState {}

    /** Has no live run and no program. It can be resumed. */
    sealed interface Ended extends SessionState {
        String reason();
    }

    record Finished(Instant since, String reason) implements Ended {}

    record Failed(Instant since, String reason) implements Ended {}

    record Stopped(Instant since, String reason) implements Ended {}

    record TimedOut(Instant since, String reason) implements Ended {}

    record Lost(Instant since, String reason) implements Ended {}

    /** The reason of the state, if it has one. */
    default @Nullable String why() {
        return switch (this) {
            case Ended end -> end.reason();
            case Stopping stopping -> stopping.reason();
            case Pending _, Running _, Idle _ -> null;
        };
    }

    default boolean isAlive() {
        return !(this instanceof Ended);
    }
}
