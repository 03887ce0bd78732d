package dev.coppice.callback;

import dev.coppice.kernel.SessionId;
import dev.coppice.word.WhenBusy;

import java.time.Instant;
import java.util.Optional;

/**
 * The durable record that wakes a session. It ends when a run that carries it finishes, when a join
 * takes it over, or when it is given up.
 */
public record Callback(
        CallbackId id, SessionId to, About about, CallbackState state, int tries, Instant created) {

    static Callback owed(CallbackId id, SessionId to, About about, Instant at) {
        return new Callback(id, to, about, new CallbackState.Owed(at, at), 0, at);
    }

    /** The callback after an event; empty if its state does not allow the event. */
    Optional<Callback> on(CallbackEvent event) {
        return switch (CallbackLifecycle.next(state, event)) {
            case CallbackLifecycle.Step.Moved(var next) ->
                    Optional.of(new Callback(id, to, about, next, tries(event), created));
            case CallbackLifecycle.Step.Refused _ -> Optional.empty();
        };
    }

    /** A try is a run that carries the callback. */
    private int tries(CallbackEvent event) {
        return event instanceof CallbackEvent.Sent ? tries + 1 : tries;
    }

    /** Tries in the current series. A retry of a dead callback begins a new one. */
    int triesInSeries(int most) {
        return tries == 0 ? 0 : (tries - 1) % most + 1;
    }

    boolean isDue(Instant now) {
        return state instanceof CallbackState.Owed(_, var due) && !due.isAfter(now);
    }

    /**
     * True for an interrupting message until its first try: a later stop of the run that carries it
     * must not wake the session again.
     */
    boolean interrupts() {
        return tries == 0
                && about instanceof About.Message(_, _, var whenBusy, _)
                && whenBusy == WhenBusy.INTERRUPT
                && state instanceof CallbackState.Owed;
    }
}
