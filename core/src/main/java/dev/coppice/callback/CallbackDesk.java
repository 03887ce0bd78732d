package dev.coppice.callback;

import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Desk;
import dev.coppice.session.SessionState;
import dev.coppice.session.StateWord;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What every command on callbacks works with. */
public record CallbackDesk(
        Callbacks callbacks, Joins joins, Journal journal, Ids ids, Terms terms) {

    /**
     * How often a callback is tried, how long the first wait between two tries is (each further one
     * is four times as long), and how long one is held for a session that nobody resumes.
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
     * Owed, and held at once where nothing goes on any more: who failed or was stopped before is
     * not woken by what comes later, but by someone who resumes it.
     */
    Callback oweOrHold(Desk desk, SessionId to, About about, Instant at) {
        var callback = owe(to, about, at);
        var session = desk.sessions().find(to);
        if (session.isEmpty() || desk.runs().liveOf(to).isPresent()) return callback;
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

    /** The callback as it is now; nothing when the event does not touch it. */
    Optional<Callback> move(Callback callback, CallbackEvent event) {
        // Found again and held: someone may have been quicker.
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
