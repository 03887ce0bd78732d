package dev.coppice.session;

import java.time.Instant;

/** Something that happened to a session, nearly always caused by its run. */
public sealed interface SessionEvent {
    Instant at();

    record RunQueued(Instant at) implements SessionEvent {}

    record RunBegan(Instant at) implements SessionEvent {}

    /** The run has completed, and the program stays alive. */
    record TurnEnded(Instant at) implements SessionEvent {}

    record StopAsked(Instant at, Instant deadline, String reason) implements SessionEvent {}

    record Completed(Instant at, String reason) implements SessionEvent {}

    record Broke(Instant at, String reason) implements SessionEvent {}

    record StopConfirmed(Instant at, String reason) implements SessionEvent {}

    record RanOutOfTime(Instant at, String reason) implements SessionEvent {}

    record RunnerVanished(Instant at, String reason) implements SessionEvent {}
}
