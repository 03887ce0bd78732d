package dev.coppice.stop;

import dev.coppice.journal.Fact;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Ports;
import dev.coppice.run.RunState;
import dev.coppice.session.Fences;
import dev.coppice.session.Profile;
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
    private final Ports ports;

    public FreezeTree(Ports ports) {
        this.ports = ports;
    }

    /** Returns how many sessions were frozen, without those that already were. */
    public Outcome<Integer> freeze(SessionId top) {
        return ports.transactions()
                .write(() -> {
                    var frozen = each(top, "frozen", this::freeze);
                    // A thaw saves each queued run, which shows it again.
                    if (frozen instanceof Outcome.Done<Integer>) ports.runs().setAside(top, top);
                    return frozen;
                });
    }

    /**
     * Thaws a tree. Also ends the stop of programs that Coppice does not run: no run resumes them.
     */
    public Outcome<Integer> thaw(SessionId top) {
        return each(top, "thawed", (session, now) -> thaw(session, resumed(session), now));
    }

    /** Thaws for an agent. Unlike the thaw of a person, it ends no stop. */
    public Outcome<Integer> thawOnly(SessionId top) {
        return each(top, "thawed", (session, now) -> thaw(session, session, now));
    }

    private interface Change {
        boolean applies(Session session, Instant now);
    }

    private Outcome<Integer> each(SessionId top, String what, Change change) {
        return ports.transactions()
                .write(() -> {
                    var session = ports.sessions().find(top);
                    if (session.isEmpty()) {
                        return Outcome.refused(new SessionRefusal.SessionUnknown(top.value()));
                    }
                    var now = ports.clock().instant();
                    int touched = 0;
                    for (var member : all(session.get())) {
                        if (change.applies(member, now)) touched++;
                    }
                    if (touched > 0) {
                        var fact = new Fact.TreeFrozen(what, touched);
                        ports.journal().append(top, null, fact, now);
                    }
                    return Outcome.done(touched);
                });
    }

    private List<Session> all(Session top) {
        var all = new ArrayList<>(List.of(top));
        var cursor = Cursor.first(Bounds.PAGE_ITEMS_MAX);
        while (true) {
            var page = ports.sessions().descendants(top.id(), Bounds.TREE_DEPTH_MAX, cursor);
            all.addAll(page.items());
            if (page.next() == null) return List.copyOf(all);
            cursor = new Cursor(page.next(), Bounds.PAGE_ITEMS_MAX);
        }
    }

    private boolean freeze(Session session, Instant now) {
        if (session.standing().frozen() != null) return false;
        ports.sessions().save(session.frozen(now));
        tellRunner(session);
        return true;
    }

    private boolean thaw(Session session, Session resumed, Instant now) {
        var since = session.standing().frozen();
        if (since == null) {
            if (resumed.equals(session)) return false;
            ports.sessions().save(resumed);
            return true;
        }
        var thawed = resumed.frozen(null);
        ports.sessions().save(thawed);
        var lost = Duration.between(since, now);
        var live = ports.runs().liveOf(session.id());
        // If no run is live, the last one holds the allowed age of the session.
        live.or(() -> ports.runs().latestOf(session.id()))
                .ifPresent(run -> ports.runs().extendTimeouts(run.id(), lost, now));
        live.filter(run -> run.state() instanceof RunState.Queued)
                .ifPresent(run -> {
                    ports.runs().save(run.unmatchedLater(lost));
                    ports.signals().raise(new Topic.WorkWaits());
                });
        ports.listener().sessionThawed(ports, thawed, lost);
        tellRunner(session);
        return true;
    }

    private Session resumed(Session session) {
        boolean isStopped = session.standing().quiet() != null;
        boolean isOutside =
                Profile.OBSERVED.equals(session.profile().binding().executorProfile())
                        && ports.runs().latestOf(session.id()).isEmpty();
        boolean isFree =
                isStopped && isOutside && Fences.at(ports.sessions(), session.id()).isEmpty();
        return isFree ? session.quiet(null) : session;
    }

    private void tellRunner(Session session) {
        ports.runs()
                .liveOf(session.id())
                .map(run -> run.state().held())
                .ifPresent(lease ->
                        ports.signals().raise(new Topic.FreezeWanted(lease.holder().runner())));
    }
}
