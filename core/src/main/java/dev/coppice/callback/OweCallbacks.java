package dev.coppice.callback;

import dev.coppice.kernel.Counted;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Ports;
import dev.coppice.run.Ports.LifecycleListener;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.word.ExecutionMode;

import java.time.Duration;
import java.time.Instant;

/**
 * Settles callbacks in the transaction in which a run ends: those that the run carried are settled,
 * the parent is owed one, joins are counted, and open callbacks to the session itself become
 * deliverable or are held.
 */
public final class OweCallbacks implements LifecycleListener {
    static final int OPEN_MAX = 10_000;
    private final CallbackPorts own;

    public OweCallbacks(CallbackPorts own) {
        this.own = own;
    }

    @Override
    public void runEnded(Ports ports, Run run) {
        if (!(run.state() instanceof RunState.Ended end)) return;
        var session = ports.sessions().find(run.session());
        settleCarried(run, end);
        session.ifPresent(s -> tellParent(ports, run, s));
        for (var join : own.joins().waitingFor(run.id())) count(ports, join, end);
        session.ifPresent(s -> settleOpen(s, end.since()));
        ports.signals().raise(new Topic.CallbackDue());
    }

    /** A run delivers the callbacks that it carried only if it finished. */
    private void settleCarried(Run run, RunState.Ended end) {
        var at = end.since();
        for (var callback : own.callbacks().carriedBy(run.id())) {
            // A message that was taken within the turn but not heard goes into the next prompt.
            var event =
                    TakeMessages.isTaken(callback, run)
                            ? new CallbackEvent.CarrierBroke(at, at)
                            : afterCarrier(callback, end, at);
            own.move(callback, event);
        }
    }

    private CallbackEvent afterCarrier(Callback callback, RunState.Ended end, Instant at) {
        if (end instanceof RunState.Finished) return new CallbackEvent.CarrierFinished(at);
        var terms = own.terms();
        // A stop is not a failed try: retry without a wait.
        if (end instanceof RunState.Stopped) return new CallbackEvent.CarrierBroke(at, at);
        int tries = callback.triesInSeries(terms.triesMax());
        if (tries >= terms.triesMax()) {
            var reason =
                    "%s carried it and none finished; the last: %s"
                            .formatted(Counted.of(tries, "run", "runs"), end.reason());
            return new CallbackEvent.GivenUp(at, reason);
        }
        return new CallbackEvent.CarrierBroke(at, at.plus(terms.waitAfter(tries)));
    }

    private void tellParent(Ports ports, Run run, Session session) {
        var parent = session.place().parentId();
        if (parent == null || run.mode() != ExecutionMode.ASYNC_CALLBACK) return;
        // A parent that waits in a join is woken by the join.
        if (!own.joins().waitingFor(run.id()).isEmpty()) return;
        // The callback exists already if the child was detached and attached again during the run.
        var before = own.callbacks().ofChildRun(run.id());
        if (before.isPresent()) {
            own.move(before.get(), new CallbackEvent.AskedAgain(run.state().since()));
            return;
        }
        var about = new About.ChildEnd(session.id(), run.id());
        own.oweOrHold(ports, parent, about, run.state().since());
    }

    private void count(Ports ports, Join join, RunState.Ended end) {
        var counted = join.counting(end instanceof RunState.Finished, end.since());
        own.joins().save(counted);
        if (!counted.isOpen()) {
            own.oweOrHold(ports, join.by(), new About.JoinOver(join.id()), end.since());
        }
    }

    private void settleOpen(Session session, Instant at) {
        boolean held =
                session.state() instanceof SessionState.Stopped
                        || session.standing().quiet() != null;
        var open = own.callbacks().openOf(session.id(), OPEN_MAX);
        if (held && open.stream().noneMatch(Callback::interrupts)) {
            hold(session, at, "the session was stopped");
            return;
        }
        for (var callback : open) own.move(callback, new CallbackEvent.Released(at));
    }

    private void hold(Session session, Instant at, String reason) {
        for (var callback : own.callbacks().openOf(session.id(), OPEN_MAX)) {
            own.move(callback, new CallbackEvent.HeldBack(at, reason));
        }
    }

    /** A session that is stopped must not be woken a moment later. */
    @Override
    public void stopAsked(Ports ports, Session session) {
        hold(session, ports.clock().instant(), "the session was stopped");
    }

    @Override
    public void sessionThawed(Ports ports, Session session, Duration lost) {
        for (var join : own.joins().openOf(session.id())) own.joins().save(join.later(lost));
        ports.signals().raise(new Topic.CallbackDue());
    }

    @Override
    public void sessionEnded(Ports ports, Session session) {}
}
