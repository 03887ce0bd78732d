package dev.coppice.stop;

import dev.coppice.journal.Fact;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Aftermath;
import dev.coppice.run.Desk;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
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
public final class StopTree implements Aftermath {
    private static final int STOPS_PER_SWEEP_MAX = 100;
    private final TreeStops stops;
    private final Ids ids;

    public StopTree(TreeStops stops, Ids ids) {
        this.stops = stops;
        this.ids = ids;
    }

    public Outcome<TreeStop> stop(Desk desk, SessionId top, TreeStop.Order order) {
        return desk.transactions()
                .write(() -> {
                    var session = desk.sessions().find(top);
                    return session.isEmpty()
                            ? Outcome.refused(new SessionRefusal.SessionUnknown(top.value()))
                            : Outcome.done(joinedOrBegun(desk, session.get(), order));
                });
    }

    private TreeStop joinedOrBegun(Desk desk, Session top, TreeStop.Order order) {
        for (var open : stops.openIn(top.place().root())) {
            if (desk.sessions().isWithin(top.id(), open.top())) return open;
        }
        return begin(desk, top, order);
    }

    private TreeStop begin(Desk desk, Session top, TreeStop.Order order) {
        var now = desk.clock().instant();
        var stop = new TreeStop(StopId.made(ids), top.id(), order, now, null);
        var members = livingOf(desk, top);
        stops.add(stop, members.stream().map(Session::id).toList());
        desk.sessions().makeQuiet(top.id(), now);
        var fenced = desk.sessions().find(top.id()).orElse(top).fenced(now);
        desk.sessions().save(fenced);
        tell(desk, stop, "began", members.size(), now);
        for (var member : members.reversed()) desk.aftermath().stopAsked(desk, member);
        if (!top.state().isAlive()) desk.aftermath().stopAsked(desk, fenced);
        // End queued runs first: no runner may claim them while others are stopped.
        for (var member : members) {
            var run = desk.runs().liveOf(member.id());
            if (run.isPresent() && run.get().state() instanceof RunState.Queued) {
                ask(desk, member, order);
            }
        }
        for (var leaf : desk.sessions().liveLeaves(top.id())) ask(desk, leaf, order);
        endIfDone(desk, stop);
        return stops.find(stop.id()).orElse(stop);
    }

    private static List<Session> livingOf(Desk desk, Session top) {
        var living = new ArrayList<Session>();
        if (top.state().isAlive()) living.add(top);
        var cursor = Cursor.first(Bounds.PAGE_ITEMS_MAX);
        while (true) {
            var page = desk.sessions().descendants(top.id(), Bounds.TREE_DEPTH_MAX, cursor);
            page.items().stream().filter(s -> s.state().isAlive()).forEach(living::add);
            if (page.next() == null) return List.copyOf(living);
            cursor = new Cursor(page.next(), Bounds.PAGE_ITEMS_MAX);
        }
    }

    private static void ask(Desk desk, Session session, TreeStop.Order order) {
        // The stop of an earlier session may have ended this one.
        var now = desk.sessions().find(session.id());
        if (now.isEmpty() || now.get().state() instanceof SessionState.Ended) return;
        new StopSession(desk).stop(session.id(), order.deadline(), order.reason());
    }

    /** Stops the nearest live ancestor when its last live descendant has ended. */
    @Override
    public void sessionEnded(Desk desk, Session session) {
        var open = stops.openIn(session.place().root());
        if (open.isEmpty()) return;
        var above = desk.sessions().ancestry(session.id());
        for (var stop : open) {
            boolean inside = above.stream().anyMatch(a -> a.session().id().equals(stop.top()));
            if (!inside) continue;
            parentWithin(stop, session, above).ifPresent(p -> ask(desk, p, stop.order()));
            endIfDone(desk, stop);
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
    public int goOn(Desk desk) {
        var open = desk.transactions().read(() -> stops.open(STOPS_PER_SWEEP_MAX));
        int asked = 0;
        for (var stop : open) if (goOn(desk, stop)) asked++;
        return asked;
    }

    /**
     * Cancels the stop that a removal began, and takes the fence down. Sessions that were asked to
     * stop still end.
     */
    public void callOff(Desk desk, SessionId top, String removal) {
        var session = desk.sessions().find(top);
        if (session.isEmpty()) return;
        for (var stop : stops.openIn(session.get().place().root())) {
            if (stop.top().equals(top) && removal.equals(stop.order().removedBy()))
                over(desk, stop, "called_off");
        }
    }

    private boolean goOn(Desk desk, TreeStop stop) {
        return desk.transactions()
                .write(() -> {
                    if (desk.sessions().find(stop.top()).isEmpty()) {
                        // The top was removed alone, and its children are roots now.
                        over(desk, stop, "called_off");
                        return true;
                    }
                    boolean any = false;
                    for (var leaf : desk.sessions().liveLeaves(stop.top())) {
                        if (leaf.state() instanceof SessionState.Stopping) continue;
                        ask(desk, leaf, stop.order());
                        any = true;
                    }
                    endIfDone(desk, stop);
                    return any;
                });
    }

    private void endIfDone(Desk desk, TreeStop stop) {
        var top = desk.sessions().ancestry(stop.top()).getFirst();
        if (top.livingBelow() > 0 || top.session().state().isAlive()) return;
        // Stopping the next ancestor may have ended this tree stop already.
        if (stops.find(stop.id()).map(TreeStop::isOver).orElse(true)) return;
        over(desk, stop, "ended");
    }

    private void over(Desk desk, TreeStop stop, String how) {
        var now = desk.clock().instant();
        stops.save(stop.over(now));
        desk.sessions().find(stop.top()).ifPresent(s -> desk.sessions().save(s.fenced(null)));
        tell(desk, stop, how, stops.membersOf(stop.id()).size(), now);
        desk.signals().raise(new Topic.StopOver(stop.id().value()));
    }

    private static void tell(Desk desk, TreeStop stop, String what, int sessions, Instant at) {
        var fact = new Fact.TreeStopMoved(stop.id().value(), what, sessions, stop.order().reason());
        desk.journal().appendAbout(stop.top(), fact, at);
    }

    @Override
    public void runEnded(Desk desk, Run run) {}

    @Override
    public void stopAsked(Desk desk, Session session) {}
}
