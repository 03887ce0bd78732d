package dev.coppice.callback;

import dev.coppice.kernel.CallbackRefusal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Ports;
import dev.coppice.run.Run;
import dev.coppice.session.Fences;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.session.StateWord;
import dev.coppice.stop.StopSession;
import dev.coppice.word.WhenBusy;

import java.time.Duration;
import java.util.Optional;

/**
 * Sends a message to a live session. The message is stored like a callback: a run that finishes
 * delivers it, it is retried if the run does not finish, and lists show it until then.
 */
public final class SendMessage {
    private static final int OPEN_MAX = 1_000;
    private final Ports ports;
    private final CallbackPorts own;
    private final StopSession stop;

    public SendMessage(Ports ports, CallbackPorts own) {
        this.ports = ports;
        this.own = own;
        this.stop = new StopSession(ports);
    }

    public Outcome<Callback> send(SessionId to, About.Message message, Duration deadline) {
        return ports.transactions()
                .write(() -> {
                    var session = ports.sessions().find(to);
                    if (session.isEmpty()) {
                        return Outcome.refused(new SessionRefusal.SessionUnknown(to.value()));
                    }
                    var fenced = Fences.at(ports.sessions(), to);
                    if (fenced.isPresent()
                            && fenced.get() instanceof RemovalRefusal.TreeIsBeingRemoved gone) {
                        return Outcome.refused(gone);
                    }
                    var live = ports.runs().liveOf(to);
                    var forbidden = forbidden(session.get(), live, message.whenBusy());
                    if (forbidden.isPresent()) return Outcome.refused(forbidden.get());
                    int open = own.callbacks().openOf(to, OPEN_MAX).size();
                    if (open >= OPEN_MAX) {
                        return Outcome.refused(
                                new RequestRefusal.LimitReached(
                                        "messages",
                                        OPEN_MAX,
                                        open + 1L,
                                        RequestRefusal.LimitReached.COORDINATOR));
                    }
                    var full = ports.room().forbidsWork(to, message.text());
                    if (full.isPresent()) return Outcome.refused(full.get());
                    return Outcome.done(sent(session.get(), live, message, deadline));
                });
    }

    private Optional<Refusal> forbidden(Session to, Optional<Run> live, WhenBusy whenBusy) {
        return switch (to.state()) {
            case SessionState.Idle _, SessionState.Finished _ -> Optional.empty();
            case SessionState.Pending _, SessionState.Running _ -> {
                if (live.isEmpty()) yield Optional.of(notLiving(to));
                yield whenBusy == WhenBusy.REJECT
                        ? Optional.of(new SessionRefusal.SessionBusy(to.id(), live.get().id()))
                        : Optional.empty();
            }
            case SessionState.Stopping _ ->
                    interrupted(to) ? Optional.empty() : Optional.of(notLiving(to));
            case SessionState.Failed _,
                    SessionState.Stopped _,
                    SessionState.TimedOut _,
                    SessionState.Lost _ ->
                    Optional.of(notLiving(to));
        };
    }

    /**
     * True if the session is being stopped only for an interrupting message; this message can be
     * delivered along with that one.
     */
    private boolean interrupted(Session session) {
        return own.callbacks().openOf(session.id(), OweCallbacks.OPEN_MAX).stream()
                .anyMatch(Callback::interrupts);
    }

    private static Refusal notLiving(Session session) {
        return new CallbackRefusal.NotLiving(session.id(), StateWord.of(session.state()));
    }

    private Callback sent(
            Session to, Optional<Run> live, About.Message message, Duration deadline) {
        var now = ports.clock().instant();
        var callback = own.owe(to.id(), message, now);
        // A queued run has not begun, so it is not interrupted: the message follows it.
        boolean atWork = live.isPresent() && live.get().state().isTaken();
        if (atWork && message.whenBusy() == WhenBusy.INTERRUPT) {
            stop.interrupt(to, deadline, "interrupted by message " + callback.id());
        }
        ports.signals().raise(new Topic.CallbackDue());
        ports.signals().raise(new Topic.MessageSent(to.id()));
        return callback;
    }
}
