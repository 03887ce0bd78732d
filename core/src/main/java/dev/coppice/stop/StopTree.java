package dev.coppice.stop;

import dev.coppice.journal.Fact;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Ports;
import dev.coppice.run.Ports.LifecycleListener;
import dev.coppice.run.Run;
import dev.coppice.session.Ancestor;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stops a session and its descendants, children before parents. The tree is fenced before the first
 * session is stopped, so no session starts meanwhile. A parent is stopped when no descendant of it
 * is live. A repeated request joins the stop under way.
 */
public final class StopTree implements LifecycleListener {
    private static final int STOPS_PER_SWEEP_MAX = 100;
    private final TreeStops stops;
    private final Ids ids;

    public StopTree(TreeStops stops, Ids ids) {
        this.stops = stops;
        this.ids = ids;
    }

    public Outcome<TreeStop> stop(Ports ports, SessionId top, TreeStop.Order order) {
        return ports.transactions()
                .write(() -> {
                    var session = ports.sessions().find(top);
                    return session.isEmpty()
                            ? Outcome.refused(new SessionRefusal.SessionUnknown(top.value()))
                            : Outcome.done(joinedOrBegun(ports, session.get(), order));
                });
    }

    private TreeStop joinedOrBegun(Ports ports, Session top, TreeStop.Order order) {
        for (var open : stops.openIn(top.place().root())) {
            if (ports.sessions().isWithin(top.id(), open.top())) return open;
        }
        return begin(ports, top, order);
    }

    private TreeStop begin(Ports ports, Session top, TreeStop.Order order) {
        var now = ports.clock().instant();
        var stop = new TreeStop(StopId.made(ids), top.id(), order, now, null);
        var members = livingOf(ports, top);
        stops.add(stop, members.stream().map(Session::id).toList());
        ports.sessions().makeQuiet(top.id(), now);
        var fenced = ports.sessions().find(top.id()).orElse(top).fenced(now);
        ports.sessions().save(fenced);
        tell(ports, stop, "began", members.size(), now);
        for (var member : members.reversed()) ports.listener().stopAsked(ports, member);
        if (!top.state().isAlive()) ports.listener().stopAsked(ports, fenced);
        // End queued runs first: no runner may claim them while others are stopped.
        for (var member : members) {
            var run = ports.runs().liveOf(member.id());
            if (run.isPresent() && !run.get().state().isTaken()) {
                ask(ports, member, order);
            }
        }
        for (var leaf : ports.sessions().liveLeaves(top.id())) ask(ports, leaf, order);
        endIfDone(ports, stop);
        return stops.find(stop.id()).orElse(stop);
    }

    private static List<Session> livingOf(Ports ports, Session top) {
        var living = new ArrayList<Session>();
        if (top.state().isAlive()) living.add(top);
        var cursor = Cursor.first(Bounds.PAGE_ITEMS_MAX);
        while (true) {
            var page = ports.sessions().descendants(top.id(), Bounds.TREE_DEPTH_MAX, cursor);
            page.items().stream().filter(s -> s.state().isAlive()).forEach(living::add);
            if (page.next() == null) return List.copyOf(living);
            cursor = new Cursor(page.next(), Bounds.PAGE_ITEMS_MAX);
        }
    }

    private static void ask(Ports ports, Session session, TreeStop.Order order) {
        // The stop of an earlier session may have ended this one.
        var now = ports.sessions().find(session.id());
        if (now.isEmpty() || now.get().state() instanceof SessionState.Ended) return;
        new StopSession(ports).stop(session.id(), order.deadline(), order.reason());
    }

    /** Stops the nearest live ancestor when its last live descendant has ended. */
    @Override
    public void sessionEnded(Ports ports, Session session) {
        var open = stops.openIn(session.place().root());
        if (open.isEmpty()) return;
        var above = ports.sessions().ancestry(session.id());
        for (var stop : open) {
            boolean inside = above.stream().anyMatch(a -> a.session().id().equals(stop.top()));
            if (!inside) continue;
            parentWithin(stop, session, above).ifPresent(p -> ask(ports, p, stop.order()));
            endIfDone(ports, stop);
        }
    }

    /** Returns the nearest live ancestor, if no descendant of it is live; skips ended ones. */
    private static Optional<Session> parentWithin(
            TreeStop stop, Session session, List<Ancestor> above) {
        if (session.id().equals(stop.top())) return Optional.empty();
        for (var next : above.subList(1, above.size())) {
            if (next.session().state().isAlive()) {
                boolean free =
                        next.livingBelow() == 0
                                && !(next.session().state() instanceof SessionState.Stopping);
                return free ? Optional.of(next.session()) : Optional.empty();
            }
            if (next.session().id().equals(stop.top())) return Optional.empty();
        }
        return Optional.empty();
    }

    /** Stops again every session that is due, in case an end did not trigger the next stop. */
    public int retryStops(Ports ports) {
        var open = ports.transactions().read(() -> stops.open(STOPS_PER_SWEEP_MAX));
        int asked = 0;
        for (var stop : open) if (retryStops(ports, stop)) asked++;
        return asked;
    }

    /**
     * Cancels the stop that a removal began, and takes the fence down. Sessions that were asked to
     * stop still end.
     */
    public void cancel(Ports ports, SessionId top, String removal) {
        var session = ports.sessions().find(top);
        if (session.isEmpty()) return;
        for (var stop : stops.openIn(session.get().place().root())) {
            if (stop.top().equals(top) && removal.equals(stop.order().removedBy()))
                over(ports, stop, "called_off");
        }
    }

    private boolean retryStops(Ports ports, TreeStop stop) {
        return ports.transactions()
                .write(() -> {
                    if (ports.sessions().find(stop.top()).isEmpty()) {
                        // The top was removed alone, and its children are roots now.
                        over(ports, stop, "called_off");
                        return true;
                    }
                    boolean any = false;
                    for (var leaf : ports.sessions().liveLeaves(stop.top())) {
                        if (leaf.state() instanceof SessionState.Stopping) continue;
                        ask(ports, leaf, stop.order());
                        any = true;
                    }
                    endIfDone(ports, stop);
                    return any;
                });
    }

    private void endIfDone(Ports ports, TreeStop stop) {
        var top = ports.sessions().ancestry(stop.top()).getFirst();
        if (top.livingBelow() > 0 || top.session().state().isAlive()) return;
        // Stopping the next ancestor may have ended this tree stop already.
        if (stops.find(stop.id()).map(TreeStop::isOver).orElse(true)) return;
        over(ports, stop, "ended");
    }

    private void over(Ports ports, TreeStop stop, String how) {
        var now = ports.clock().instant();
        stops.save(stop.over(now));
        ports.sessions().find(stop.top()).ifPresent(s -> ports.sessions().save(s.fenced(null)));
        tell(ports, stop, how, stops.membersOf(stop.id()).size(), now);
        ports.signals().raise(new Topic.StopOver(stop.id().value()));
    }

    private static void tell(Ports ports, TreeStop stop, String what, int sessions, Instant at) {
        var fact = new Fact.TreeStopMoved(stop.id().value(), what, sessions, stop.order().reason());
        ports.journal().appendAbout(stop.top(), fact, at);
    }

    @Override
    public void runEnded(Ports ports, Run run) {}

    @Override
    public void stopAsked(Ports ports, Session session) {}
}
