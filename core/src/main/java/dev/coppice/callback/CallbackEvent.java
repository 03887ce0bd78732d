package dev.coppice.callback;

import dev.coppice.kernel.RunId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** Something that happened to a callback. */
public sealed interface CallbackEvent {
    Instant at();

    /** A run was queued that tells its session. */
    record Sent(Instant at, RunId by) implements CallbackEvent {}

    record CarrierFinished(Instant at) implements CallbackEvent {}

    /** The run that carried it did not finish; it is told again, not before {@code due}. */
    record CarrierBroke(Instant at, Instant due) implements CallbackEvent {}

    /** There was no room to wake the session; it is tried again. */
    record PutOff(Instant at, Instant due) implements CallbackEvent {}

    record HeldBack(Instant at, String reason) implements CallbackEvent {}

    /** The session has gone on, so that it can be told. */
    record Released(Instant at) implements CallbackEvent {}

    record TakenIntoJoin(Instant at, JoinId join) implements CallbackEvent {}

    record GivenUp(Instant at, String reason, @Nullable String removedBy) implements CallbackEvent {
        public GivenUp(Instant at, String reason) {
            this(at, reason, null);
        }
    }

    /** A person wants it tried again. */
    record AskedAgain(Instant at) implements CallbackEvent {}
}
