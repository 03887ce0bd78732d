package dev.coppice.callback;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Aftermath;
import dev.coppice.run.Desk;
import dev.coppice.run.Run;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.session.StateWord;
import dev.coppice.stop.StopSession;

import java.time.Duration;

/** Applies, to live children of a parent that ends, the choice made when each was started. */
public final class CloseChildren implements Aftermath {
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private final CallbackDesk own;

    public CloseChildren(CallbackDesk own) {
        this.own = own;
    }

    @Override
    public void sessionEnded(Desk desk, Session parent) {
        // The session was only interrupted, and goes on at once.
        boolean interrupted =
                own.callbacks().openOf(parent.id(), OweCallbacks.OPEN_MAX).stream()
                        .anyMatch(Callback::interrupts);
        if (interrupted) return;
        close(desk, parent, parent.state() instanceof SessionState.Stopped);
    }

    /**
     * Stopping a parent that ended before stops the children that it left running. The stop of a
     * whole tree stops them itself, in its own order.
     */
    @Override
    public void stopAsked(Desk desk, Session parent) {
        boolean alone = parent.standing().fenced() == null;
        if (alone && !parent.state().isAlive()) close(desk, parent, true);
    }

    private void close(Desk desk, Session parent, boolean stopped) {
        // A removal stops the descendants in its own order, or leaves them as they are.
        if (parent.standing().removal() != null) return;
        var cursor = Cursor.first(Bounds.PAGE_ITEMS_MAX);
        while (true) {
            var page = desk.sessions().children(parent.id(), cursor);
            for (var child : page.items()) {
                // Read again under the lock: its state may have changed since it was listed.
                var now = desk.sessions().find(child.id()).orElse(child);
                if (now.state().isAlive()) close(desk, parent, now, stopped);
            }
            if (page.next() == null) return;
            cursor = new Cursor(page.next(), Bounds.PAGE_ITEMS_MAX);
        }
    }

    private void close(Desk desk, Session parent, Session child, boolean stopped) {
        var now = desk.clock().instant();
        var why = "parent %s is %s".formatted(parent.name(), StateWord.of(parent.state()));
        switch (child.standing().onParentEnd()) {
            case STOP -> stop(desk, child, why);
            case KEEP -> {
                if (stopped) stop(desk, child, why);
            }
            case ABANDON -> desk.sessions().save(child.abandoned(now));
            case ASK -> ask(desk, parent, child, why);
        }
    }

    private static void stop(Desk desk, Session child, String why) {
        new StopSession(desk).stop(child.id(), DEADLINE, why);
    }

    private void ask(Desk desk, Session parent, Session child, String why) {
        var now = desk.clock().instant();
        // Ask once: an answer would wake the parent, and its next end would ask again.
        if (child.standing().abandoned() != null) return;
        desk.sessions().save(child.abandoned(now));
        if (desk.runs().liveOf(child.id()).isEmpty()
                && child.state() instanceof SessionState.Pending) return;
        var text = "Your " + why + ". Please bring your work to an end now.";
        var notice = new About.Notice(About.Notice.Kind.PARENT_ENDED, parent.id());
        own.owe(child.id(), new About.Message(text, null, About.WhenBusy.QUEUE, notice), now);
        desk.signals().raise(new Topic.CallbackDue());
    }

    @Override
    public void runEnded(Desk desk, Run run) {}
}
