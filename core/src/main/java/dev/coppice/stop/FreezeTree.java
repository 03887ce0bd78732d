package dev.coppice.stop;

import dev.coppice.journal.Fact;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Desk;
import dev.coppice.run.RunState;
import dev.coppice.session.Session;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Freezes and thaws a session and its descendants. While they are frozen, runners renew their
 * leases, queued runs are not claimed, and time does not count.
 */
public final class FreezeTree {
    private final Desk desk;

    public FreezeTree(Desk desk) {
        this.desk = desk;
    }

    /** Returns how many sessions were frozen, without those that already were. */
    public Outcome<Integer> freeze(SessionId top) {
        return each(top, "frozen", this::freeze);
    }

    public Outcome<Integer> thaw(SessionId top) {
        return each(top, "thawed", this::thaw);
    }

    private interface Change {
        boolean applies(Session session, Instant now);
    }

    private Outcome<Integer> each(SessionId top, String what, Change change) {
        return desk.transactions()
                .write(() -> {
                    var session = desk.sessions().find(top);
                    if (session.isEmpty()) {
                        return Outcome.refused(new SessionRefusal.SessionUnknown(top.value()));
                    }
                    var now = desk.clock().instant();
                    int touched = 0;
                    for (var member : all(session.get())) {
                        if (change.applies(member, now)) touched++;
                    }
                    if (touched > 0) {
                        var fact = new Fact.TreeFrozen(what, touched);
                        desk.journal().append(top, null, fact, now);
                    }
                    return Outcome.done(touched);
                });
    }

    private List<Session> all(Session top) {
        var all = new ArrayList<>(List.of(top));
        var cursor = Cursor.first(Bounds.PAGE_ITEMS_MAX);
        while (true) {
            var page = desk.sessions().descendants(top.id(), Bounds.TREE_DEPTH_MAX, cursor);
            all.addAll(page.items());
            if (page.next() == null) return List.copyOf(all);
            cursor = new Cursor(page.next(), Bounds.PAGE_ITEMS_MAX);
        }
    }

    private boolean freeze(Session session, Instant now) {
        if (session.standing().frozen() != null) return false;
        desk.sessions().save(session.frozen(now));
        tellRunner(session);
        return true;
    }

    private boolean thaw(Session session, Instant now) {
        var since = session.standing().frozen();
        if (since == null) return false;
        var thawed = session.frozen(null);
        desk.sessions().save(thawed);
        var lost = Duration.between(since, now);
        var live = desk.runs().liveOf(session.id());
        // If no run is live, the last one holds the allowed age of the session.
        live.or(() -> desk.runs().latestOf(session.id()))
                .ifPresent(run -> desk.runs().forgive(run.id(), lost, now));
        live.filter(run -> run.state() instanceof RunState.Queued)
                .ifPresent(run -> {
                    desk.runs().save(run.unmatchedLater(lost));
                    desk.signals().raise(new Topic.WorkWaits());
                });
        desk.aftermath().sessionThawed(desk, thawed, lost);
        tellRunner(session);
        return true;
    }

    private void tellRunner(Session session) {
        desk.runs()
                .liveOf(session.id())
                .map(run -> run.state().held())
                .ifPresent(lease ->
                        desk.signals().raise(new Topic.FreezeWanted(lease.holder().runner())));
    }
}
