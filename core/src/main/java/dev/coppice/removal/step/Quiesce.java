package dev.coppice.removal.step;

import dev.coppice.kernel.Counted;
import dev.coppice.kernel.Outcome;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalAudit;
import dev.coppice.removal.RemovalEvent;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.Removals;
import dev.coppice.run.MoveRun;
import dev.coppice.run.Ports;
import dev.coppice.run.RunEvent;
import dev.coppice.session.Session;
import dev.coppice.session.SessionEvent;
import dev.coppice.stop.StopSession;
import dev.coppice.stop.StopTree;
import dev.coppice.stop.TreeStop;
import dev.coppice.word.Choice;

import java.time.Duration;
import java.util.List;

/** Stops every live session of the tree. */
record Quiesce(
        Ports ports, Removals removals, StopTree stopTree, Surveys surveys, RemovalAudit audit)
        implements Step {
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);

    @Override
    public Piece advance(Removal removal) {
        var alive = alive(removal);
        var now = ports.clock().instant();
        if (alive.isEmpty()) {
            // Count again: sessions wrote events until they stopped.
            var all = surveys.takeOrRequest(removal);
            if (all == null) return new Piece.More();
            return new Piece.Ends(removal.with(all.taken()), new RemovalEvent.Quiesced(now));
        }
        boolean late = removal.state().since().plus(removal.choices().deadline()).isBefore(now);
        // Ask even when late: a coordinator that was down until now has not asked yet.
        if (stop(removal)) return new Piece.More();
        if (!late) return new Piece.Waits(null);
        var who = Counted.Few.of(alive.stream().map(Session::name).toList());
        if (removal.choices().unreachable() == Choice.Unreachable.ABANDON) {
            alive.forEach(s -> abandon(removal.id(), s));
            audit.leftUndone(removal, "not stopped in time: " + who);
            return new Piece.More();
        }
        var what = Counted.of(alive.size(), "session has", "sessions have") + " not ended: " + who;
        return new Piece.Waits(what);
    }

    @Override
    public Piece undo(Removal removal) {
        stopTree.cancel(ports, removal.top().id(), removal.id().value());
        return new Piece.Done();
    }

    private List<Session> alive(Removal removal) {
        var top = ports.sessions().find(removal.top().id()).orElseThrow();
        if (removal.detaches()) return top.state().isAlive() ? List.of(top) : List.of();
        return ports.sessions().liveLeaves(top.id());
    }

    /** Stops the sessions; true if all have stopped. Asking again joins the stop under way. */
    private boolean stop(Removal removal) {
        var top = removal.top().id();
        var why = removal.why();
        if (removal.detaches()) {
            var stopped = new StopSession(ports).stop(top, STOP_DEADLINE, why);
            return stopped instanceof Outcome.Done<StopSession.Stop>(var stop)
                    && !stop.session().state().isAlive();
        }
        var order = new TreeStop.Order(STOP_DEADLINE, why, removal.id().value());
        return stopTree.stop(ports, top, order) instanceof Outcome.Done<TreeStop>(var stop)
                && stop.isOver();
    }

    /** Ends a session whose runner is silent. The runner kills its processes on its return. */
    private void abandon(RemovalId by, Session seen) {
        removals.givenUp(by, seen.id());
        var now = ports.clock().instant();
        var why = "it could not be stopped in time";
        var move = new MoveRun(ports);
        // A queued run ends at once; a claimed run must not return to the queue.
        var live = ports.runs().liveOf(seen.id());
        live.ifPresent(run -> move.move(run, new RunEvent.StopAsked(now, now, why)));
        var still = ports.runs().liveOf(seen.id());
        still.ifPresent(run -> move.move(run, new RunEvent.RunnerVanished(now, why)));
        var session = ports.sessions().find(seen.id()).orElse(seen);
        if (session.state().isAlive()) {
            move.moveSession(session, new SessionEvent.StopConfirmed(now, why));
        }
    }
}
