package dev.coppice.callback;

import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Ports;
import dev.coppice.session.SessionState;
import dev.coppice.session.StateWord;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The collaborators of all commands on callbacks. */
public record CallbackPorts(
        Callbacks callbacks, Joins joins, Journal journal, Ids ids, Terms terms) {

    /**
     * The number of tries of a callback, the wait after the first one (each later wait is four
     * times as long), and how long a callback is held for a session that is not resumed.
     */
    public record Terms(int triesMax, Duration firstWait, Duration heldAtMost) {
        public static final Terms DEFAULT = new Terms(5, Duration.ofSeconds(2), Duration.ofDays(7));

        Duration waitAfter(int tries) {
            return firstWait.multipliedBy(1L << Math.clamp(2L * (tries - 1), 0, 20));
        }
    }

    Callback owe(SessionId to, About about, Instant at) {
        var callback = Callback.owed(CallbackId.made(ids), to, about, at);
        callbacks.add(callback);
        tell(callback);
        return callback;
    }

    /**
     * Owes a callback. It is held at once if the session failed or was stopped and has no live run:
     * no new callback wakes such a session.
     */
    Callback oweOrHold(Ports ports, SessionId to, About about, Instant at) {
        return orHold(ports, owe(to, about, at), at);
    }

    /** Owes a dead callback again, or holds it at once like {@link #oweOrHold}. */
    void oweAgainOrHold(Ports ports, Callback dead, Instant at) {
        move(dead, new CallbackEvent.AskedAgain(at)).ifPresent(owed -> orHold(ports, owed, at));
    }

    private Callback orHold(Ports ports, Callback callback, Instant at) {
        var to = callback.to();
        var session = ports.sessions().find(to);
        if (session.isEmpty() || ports.runs().liveOf(to).isPresent()) return callback;
        return switch (session.get().state()) {
            case SessionState.Failed _,
                    SessionState.Stopped _,
                    SessionState.TimedOut _,
                    SessionState.Lost _ -> {
                var why = "the session is " + StateWord.of(session.get().state());
                yield move(callback, new CallbackEvent.HeldBack(at, why)).orElse(callback);
            }
            case SessionState.Pending _,
                    SessionState.Running _,
                    SessionState.Idle _,
                    SessionState.Stopping _,
                    SessionState.Finished _ ->
                    callback;
        };
    }

    /** The callback after an event; empty if its state does not allow the event. */
    Optional<Callback> move(Callback callback, CallbackEvent event) {
        // Read again under the lock: another transaction may have moved it.
        var moved = callbacks.find(callback.id()).orElse(callback).on(event);
        moved.ifPresent(m -> {
            callbacks.save(m);
            tell(m);
        });
        return moved;
    }

    private void tell(Callback c) {
        var about =
                switch (c.about()) {
                    case About.ChildEnd(var child, _) -> "child " + child;
                    case About.JoinOver(var join) -> "join " + join;
                    case About.Message _ -> "message";
                };
        var carrier = c.state().carrier();
        var detail = carrier == null ? c.state().why() : carrier;
        journal.appendAbout(
                c.to(),
                new Fact.CallbackMoved(c.id().value(), c.state().word(), about, c.tries(), detail),
                c.state().since());
    }
}
