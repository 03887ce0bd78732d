package dev.coppice.callback;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Ports;
import dev.coppice.run.RunState;
import dev.coppice.session.Session;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.WhenBusy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Settles callbacks when sessions are removed and when they come back. A callback that a removal
 * settles names that removal, and an undo revives only callbacks that name it.
 */
public final class SettleRemoved {
    private static final Set<String> DEAD = Set.of("dead");
    private static final int DEAD_AT_ONCE = 1_000;
    private final CallbackPorts own;

    public SettleRemoved(CallbackPorts own) {
        this.own = own;
    }

    /**
     * Gives up the callbacks that the parent is owed about the top of the tree. If there are any,
     * one notice tells the parent, which stays, that the child was removed.
     */
    public void giveUpOwedToParent(Ports ports, Session top, RemovedBy by) {
        var parent = top.place().parentId();
        if (parent == null) return;
        var owed = own.callbacks().openAbout(parent, top.id());
        giveUp(ports, owed, by);
        if (owed.isEmpty()) return;
        var notice = new About.Notice(About.Notice.Kind.CHILD_REMOVED, top.id());
        tell(ports, parent, Wording.removed(top.id(), by.why()), notice);
    }

    /** Delivers deferred callbacks about the end of a child that stays or is back. */
    public void deliverDeferred(Ports ports, SessionId top, SessionId parent) {
        var now = ports.clock().instant();
        var owed =
                own.callbacks().openAbout(parent, top).stream()
                        .filter(c -> c.state() instanceof CallbackState.Owed)
                        .toList();
        owed.forEach(c -> own.move(c, new CallbackEvent.AskedAgain(now)));
        if (!owed.isEmpty()) ports.signals().raise(new Topic.CallbackDue());
    }

    /** Gives up callbacks to a removed session, which can no longer be delivered. */
    public void giveUpOwedTo(Ports ports, SessionId gone, RemovedBy by) {
        giveUp(ports, openOf(gone, _ -> true), by);
    }

    /**
     * Records a dead callback for a running child that is detached: its end can no longer wake the
     * parent, and lists show that from now on.
     */
    public void recordLostParent(Ports ports, Session child, SessionId parent, RemovedBy by) {
        var run = ports.runs().liveOf(child.id());
        if (run.isEmpty() || run.get().mode() != ExecutionMode.ASYNC_CALLBACK) return;
        if (own.callbacks().ofChildRun(run.get().id()).isPresent()) return;
        var now = ports.clock().instant();
        var about = new About.ChildEnd(child.id(), run.get().id());
        var owed = own.owe(parent, about, now);
        own.move(owed, new CallbackEvent.GivenUp(now, by.why(), by.removal()));
    }

    /** Revives the callbacks to a restored session that its removal settled. */
    public void reviveOwedTo(Ports ports, SessionId id, RemovedBy by) {
        for (var callback : deadOf(id, by.removal()::equals)) again(ports, callback);
    }

    /**
     * Owes the parent again the callbacks that these removals settled. An undelivered notice of the
     * removal is given up; if the parent received it, a notice says that the child is back.
     */
    public void reviveOwedToParent(
            Ports ports, SessionId parent, SessionId top, Predicate<String> removals) {
        var removed = new About.Notice(About.Notice.Kind.CHILD_REMOVED, top);
        var unheard =
                openOf(
                        parent,
                        c ->
                                c.about() instanceof About.Message(_, _, _, var notice)
                                        && removed.equals(notice));
        var now = ports.clock().instant();
        for (var c : unheard) {
            own.move(c, new CallbackEvent.GivenUp(now, "the removal was undone"));
        }
        if (unheard.isEmpty() && own.callbacks().hasCarried(parent, removed)) {
            var back = new About.Notice(About.Notice.Kind.CHILD_RESTORED, top);
            tell(ports, parent, Wording.restored(top), back);
        }
        for (var callback : deadOf(parent, removals)) {
            if (isEndOf(callback, top)) again(ports, callback);
        }
    }

    /** Counts the joined runs that ended while the session was hidden. */
    public void recount(Ports ports, SessionId back) {
        var now = ports.clock().instant();
        for (var join : own.joins().openOf(back)) {
            var ends =
                    join.members().stream()
                            .flatMap(m -> ports.runs().find(m.run()).stream())
                            .filter(r -> r.state() instanceof RunState.Ended)
                            .map(r -> r.state() instanceof RunState.Finished)
                            .toList();
            int missed = ends.size() - join.count().ended();
            long finished = ends.stream().filter(f -> f).count() - join.count().finished();
            var counted = join;
            for (int i = 0; i < missed && counted.isOpen(); i++) {
                counted = counted.counting(i < finished, now);
            }
            if (missed <= 0) continue;
            own.joins().save(counted);
            if (!counted.isOpen()) own.oweOrHold(ports, back, new About.JoinOver(join.id()), now);
        }
    }

    private void again(Ports ports, Callback callback) {
        // A live run creates its callback when it ends.
        if (callback.about() instanceof About.ChildEnd(_, var run)) {
            var found = ports.runs().find(run);
            boolean ended = found.isPresent() && found.get().state() instanceof RunState.Ended;
            if (found.isPresent() && !ended) return;
        }
        own.oweAgainOrHold(ports, callback, ports.clock().instant());
        ports.signals().raise(new Topic.CallbackDue());
    }

    private List<Callback> openOf(SessionId to, Predicate<Callback> which) {
        return own.callbacks().openOf(to, OweCallbacks.OPEN_MAX).stream().filter(which).toList();
    }

    private List<Callback> deadOf(SessionId to, Predicate<String> removals) {
        var filter = new CallbackFilter(DEAD, to, null);
        var found = new ArrayList<Callback>();
        var cursor = Cursor.first(DEAD_AT_ONCE);
        while (cursor != null) {
            var page = own.callbacks().list(filter, cursor);
            page.items().stream()
                    .filter(c ->
                            c.state() instanceof CallbackState.Dead(_, _, var by)
                                    && by != null
                                    && removals.test(by))
                    .forEach(found::add);
            cursor = page.next() == null ? null : new Cursor(page.next(), DEAD_AT_ONCE);
        }
        return found.reversed();
    }

    private static boolean isEndOf(Callback callback, SessionId child) {
        return callback.about() instanceof About.ChildEnd(var of, _) && of.equals(child);
    }

    private void giveUp(Ports ports, List<Callback> callbacks, RemovedBy by) {
        var now = ports.clock().instant();
        var event = new CallbackEvent.GivenUp(now, by.why(), by.removal());
        callbacks.forEach(c -> own.move(c, event));
    }

    private void tell(Ports ports, SessionId to, String text, About.Notice notice) {
        var message = new About.Message(text, null, WhenBusy.QUEUE, notice);
        own.oweOrHold(ports, to, message, ports.clock().instant());
        ports.signals().raise(new Topic.CallbackDue());
    }
}
