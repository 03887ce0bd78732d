package dev.coppice.callback;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Ports;
import dev.coppice.run.Ports.LifecycleListener;
import dev.coppice.run.Run;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.session.StateWord;
import dev.coppice.stop.StopSession;
import dev.coppice.word.WhenBusy;

import java.time.Duration;

/** Applies the policy of each live child, chosen at its start, when its parent ends. */
public final class CloseChildren implements LifecycleListener {
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private final CallbackPorts own;

    public CloseChildren(CallbackPorts own) {
        this.own = own;
    }

    @Override
    public void sessionEnded(Ports ports, Session parent) {
        // An interrupted session continues at once.
        boolean interrupted =
                own.callbacks().openOf(parent.id(), OweCallbacks.OPEN_MAX).stream()
                        .anyMatch(Callback::interrupts);
        if (interrupted) return;
        close(ports, parent, parent.state() instanceof SessionState.Stopped);
    }

    /**
     * A stop of a session that ended earlier stops the children that it left running. The stop of a
     * whole tree stops them in its own order.
     */
    @Override
    public void stopAsked(Ports ports, Session parent) {
        boolean alone = parent.standing().fenced() == null;
        if (alone && !parent.state().isAlive()) close(ports, parent, true);
    }

    private void close(Ports ports, Session parent, boolean stopped) {
        // A removal stops the descendants in its own order, or leaves them as they are.
        if (parent.standing().removal() != null) return;
        var cursor = Cursor.first(Bounds.PAGE_ITEMS_MAX);
        while (true) {
            var page = ports.sessions().children(parent.id(), cursor);
            for (var child : page.items()) {
                // Read again under the lock: its state may have changed since it was listed.
                var now = ports.sessions().find(child.id()).orElse(child);
                if (now.state().isAlive()) close(ports, parent, now, stopped);
            }
            if (page.next() == null) return;
            cursor = new Cursor(page.next(), Bounds.PAGE_ITEMS_MAX);
        }
    }

    private void close(Ports ports, Session parent, Session child, boolean stopped) {
        var now = ports.clock().instant();
        var why = "parent %s is %s".formatted(parent.name(), StateWord.of(parent.state()));
        switch (child.standing().onParentEnd()) {
            case STOP -> stop(ports, child, why);
            case KEEP -> {
                if (stopped) stop(ports, child, why);
            }
            case ABANDON -> ports.sessions().save(child.abandoned(now));
            case ASK -> ask(ports, parent, child, why);
        }
    }

    private static void stop(Ports ports, Session child, String why) {
        new StopSession(ports).stop(child.id(), DEADLINE, why);
    }

    private void ask(Ports ports, Session parent, Session child, String why) {
        var now = ports.clock().instant();
        // Ask once: the child's answer wakes the parent, and the parent's next end would ask again.
        if (child.standing().abandoned() != null) return;
        ports.sessions().save(child.abandoned(now));
        if (ports.runs().liveOf(child.id()).isEmpty()
                && child.state() instanceof SessionState.Pending) return;
        var text = "Your " + why + ". Please bring your work to an end now.";
        var notice = new About.Notice(About.Notice.Kind.PARENT_ENDED, parent.id());
        own.owe(child.id(), new About.Message(text, null, WhenBusy.QUEUE, notice), now);
        ports.signals().raise(new Topic.CallbackDue());
    }

    @Override
    public void runEnded(Ports ports, Run run) {}
}
