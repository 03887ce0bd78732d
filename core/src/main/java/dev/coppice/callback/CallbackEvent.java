package dev.coppice.callback;

import dev.coppice.kernel.RunId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** An event in the life of a callback. */
sealed interface CallbackEvent {
    Instant at();

    /** A run that carries the callback was queued. */
    record Sent(Instant at, RunId by) implements CallbackEvent {}

    record CarrierFinished(Instant at) implements CallbackEvent {}

    /** The run that carried it did not finish; it is retried, not before {@code due}. */
    record CarrierBroke(Instant at, Instant due) implements CallbackEvent {}

    /** The session could not be woken yet; it is retried, not before {@code due}. */
    record PutOff(Instant at, Instant due) implements CallbackEvent {}

    record HeldBack(Instant at, String reason) implements CallbackEvent {}

    /** The session ran again, so that the callback can be delivered. */
    record Released(Instant at) implements CallbackEvent {}

    record TakenIntoJoin(Instant at, JoinId join) implements CallbackEvent {}

    record GivenUp(Instant at, String reason, @Nullable String removedBy) implements CallbackEvent {
        public GivenUp(Instant at, String reason) {
            this(at, reason, null);
        }
    }

    /** A retry was requested. */
    record AskedAgain(Instant at) implements CallbackEvent {}
}
