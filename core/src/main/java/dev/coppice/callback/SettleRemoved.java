package dev.coppice.callback;

import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Desk;
import dev.coppice.session.Session;

/** What becomes of callbacks when sessions are taken away, and when they come back. */
public final class SettleRemoved {
    private final CallbackDesk own;

    public SettleRemoved(CallbackDesk own) {
        this.own = own;
    }

    /**
     * What the top of the tree still owes its parent, who stays: it is settled, and the parent is
     * told in its place that the child was removed.
     */
    public void owedBy(Desk desk, Session top, String why) {
        var parent = top.place().parentId();
        if (parent == null) return;
        var now = desk.clock().instant();
        for (var callback : own.callbacks().openOf(parent, OweCallbacks.OPEN_MAX)) {
            boolean of =
                    callback.about() instanceof About.ChildEnd(var child, _)
                            && child.equals(top.id());
            if (!of) continue;
            own.move(callback, new CallbackEvent.GivenUp(now, why));
            tell(desk, parent, Wording.removed(top.id(), why));
        }
    }

    /** What was owed to one that is gone can reach nobody. */
    public void owedTo(Desk desk, SessionId gone, String why) {
        var now = desk.clock().instant();
        for (var callback : own.callbacks().openOf(gone, OweCallbacks.OPEN_MAX)) {
            own.move(callback, new CallbackEvent.GivenUp(now, why));
        }
    }

    /** Whoever was told that a child was removed is told that it is back. */
    public void restored(Desk desk, SessionId parent, SessionId top) {
        if (own.callbacks().wasToldOf(parent, Wording.removedOpening(top))) {
            tell(desk, parent, Wording.restored(top));
        }
    }

    private void tell(Desk desk, SessionId to, String text) {
        var message = new About.Message(text, null, About.WhenBusy.QUEUE);
        own.oweOrHold(desk, to, message, desk.clock().instant());
        desk.signals().raise(new Topic.CallbackDue());
    }
}
