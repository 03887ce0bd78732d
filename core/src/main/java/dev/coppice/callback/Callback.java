package dev.coppice.callback;

import dev.coppice.kernel.SessionId;

import java.time.Instant;
import java.util.Optional;

/** The durable note that wakes a session: it is owed until a run that was told of it finishes. */
public record Callback(
        CallbackId id, SessionId to, About about, CallbackState state, int tries, Instant created) {

    static Callback owed(CallbackId id, SessionId to, About about, Instant at) {
        return new Callback(id, to, about, new CallbackState.Owed(at, at), 0, at);
    }

    /** The callback after an event; nothing when the event does not touch it now. */
    Optional<Callback> on(CallbackEvent event) {
        return switch (CallbackLifecycle.next(state, event)) {
            case CallbackLifecycle.Step.Moved(var next) ->
                    Optional.of(new Callback(id, to, about, next, tries(event), created));
            case CallbackLifecycle.Step.Refused _ -> Optional.empty();
        };
    }

    /** A try is a run that was told of it. */
    private int tries(CallbackEvent event) {
        return event instanceof CallbackEvent.Sent ? tries + 1 : tries;
    }

    /** Tries come in series: whoever asks again for a dead one begins the next. */
    int triesInSeries(int most) {
        return tries == 0 ? 0 : (tries - 1) % most + 1;
    }

    boolean isDue(Instant now) {
        return state instanceof CallbackState.Owed(_, var due) && !due.isAfter(now);
    }

    /** Only until it was told once: whoever stops the run that tells it wants it to stop. */
    boolean interrupts() {
        return tries == 0
                && about instanceof About.Message(_, _, var whenBusy, _)
                && whenBusy == About.WhenBusy.INTERRUPT
                && state instanceof CallbackState.Owed;
    }
}
