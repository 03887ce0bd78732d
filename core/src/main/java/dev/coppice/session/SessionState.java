package dev.coppice.session;

import java.time.Instant;

/** Where one session stands. Each state carries only what is true in that state. */
public sealed interface SessionState {
    Instant since();

    /** Waits for a run, or for its run to begin. */
    record Pending(Instant since) implements SessionState {}

    record Running(Instant since) implements SessionState {}

    /** Its program is alive between two turns. */
    record Idle(Instant since) implements SessionState {}

    record Stopping(Instant since, Instant deadline) implements SessionState {}

    /** Nothing of it runs. It can be resumed. */
    sealed interface Ended extends SessionState {
        String reason();
    }

    record Finished(Instant since, String reason) implements Ended {}

    record Failed(Instant since, String reason) implements Ended {}

    record Stopped(Instant since, String reason) implements Ended {}

    record TimedOut(Instant since, String reason) implements Ended {}

    record Lost(Instant since, String reason) implements Ended {}

    default boolean isAlive() {
        return !(this instanceof Ended);
    }
}
