package dev.coppice.removal;

import dev.coppice.journal.Fact;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.run.Desk;
import dev.coppice.run.MoveRun;
import dev.coppice.run.Run;
import dev.coppice.run.RunEvent;
import dev.coppice.session.Session;
import dev.coppice.session.SessionEvent;
import dev.coppice.stop.StopSession;
import dev.coppice.stop.StopTree;
import dev.coppice.stop.TreeStop;

import java.time.Duration;
import java.util.List;

/**
 * Takes removals onward. Each call does a bounded piece of one step in one transaction that also
 * records how far it has come; so any piece can be done again, by anyone, after a crash.
 */
public final class RemovalSteps {
    private static final int REMOVALS_PER_SWEEP_MAX = 20;
    private static final int ENLISTED_AT_ONCE = 2_000;
    private static final int TOLD_AT_ONCE = 500;
    private static final int PURGED_AT_ONCE = 2_000;
    private static final int NAMED_MAX = 5;
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);
    private final RemoveTree.Parts parts;
    private final Desk desk;
    private final Removals removals;
    private final StopTree stopTree;
    private final RemovalMoves moves;

    public RemovalSteps(RemoveTree.Parts parts, StopTree stopTree) {
        this.parts = parts;
        this.desk = parts.desk();
        this.removals = parts.removals();
        this.stopTree = stopTree;
        this.moves =
                new RemovalMoves(desk, removals, new RemovalAudit(parts.audit(), desk.clock()));
    }

    /** How many removals have come any further. */
    public int goOn() {
        var now = desk.clock().instant();
        var due = desk.transactions().read(() -> removals.due(now, REMOVALS_PER_SWEEP_MAX));
        int moved = 0;
        for (var removal : due) if (goOn(removal.id())) moved++;
        return moved;
    }

    private boolean goOn(RemovalId id) {
        return desk.transactions()
                .write(() -> {
                    var seen = removals.find(id);
                    if (seen.isEmpty()) return false;
                    desk.sessions().lockTree(seen.get().top().id());
                    return onward(seen.get());
                });
    }

    private boolean onward(Removal removal) {
        var now = desk.clock().instant();
        return switch (removal.state()) {
            case RemovalState.Fencing _ -> fence(removal);
            case RemovalState.Quiescing _ -> quiesce(removal);
            case RemovalState.Detaching _ -> detach(removal);
            case RemovalState.Hiding _ -> tellOfEnd(removal);
            case RemovalState.Hidden(_, var until) ->
                    !until.isAfter(now) && moved(removal, new RemovalEvent.PurgeBegan(now));
            case RemovalState.Purging _ ->
                    removals.purgeSome(removal, PURGED_AT_ONCE)
                            || moved(removal, new RemovalEvent.AllGone(now));
            case RemovalState.Undoing _ -> tellOfReturn(removal);
            case RemovalState.TakingBack _ -> release(removal);
            case RemovalState.Over _ -> false;
        };
    }

    private boolean moved(Removal removal, RemovalEvent event) {
        return moves.move(removal, event).isPresent();
    }

    private boolean fence(Removal removal) {
        if (!removal.detaches() && removals.enlist(removal, ENLISTED_AT_ONCE) > 0) return true;
        var now = desk.clock().instant();
        var top = desk.sessions().find(removal.top().id()).orElseThrow();
        var digest = parts.planner().of(top, removal.choices()).digest();
        boolean other = removal.order().confirmed() && !digest.equals(removal.digest());
        return moved(
                removal,
                other
                        ? new RemovalEvent.CalledOff(now, "the tree changed after it was confirmed")
                        : new RemovalEvent.Fenced(now));
    }

    private boolean quiesce(Removal removal) {
        var alive = alive(removal);
        var now = desk.clock().instant();
        if (alive.isEmpty()) {
            return removal.detaches()
                    ? moved(removal, new RemovalEvent.DetachBegan(now))
                    : goOutOfSight(removal);
        }
        boolean late = removal.times().began().plus(removal.choices().deadline()).isBefore(now);
        if (!late) return stop(removal);
        if (removal.choices().unreachable() == Choices.Unreachable.ABANDON) {
            alive.forEach(this::abandon);
            return true;
        }
        var names = alive.stream().limit(NAMED_MAX).map(Session::name).toList();
        var what =
                "%d sessions have not ended: %s".formatted(alive.size(), String.join(", ", names));
        if (what.equals(removal.state().why())) return stop(removal);
        return moved(removal, new RemovalEvent.WaitsFor(now, what));
    }

    /** Asking again joins what is under way, so nothing is lost by asking each time. */
    private boolean stop(Removal removal) {
        var top = removal.top().id();
        var why = why(removal);
        if (removal.detaches()) {
            var stopped = new StopSession(desk).stop(top, STOP_DEADLINE, why);
            return stopped instanceof Outcome.Done<StopSession.Stop>(var stop)
                    && !stop.session().state().isAlive();
        }
        var order = new TreeStop.Order(STOP_DEADLINE, why);
        return stopTree.stop(desk, top, order) instanceof Outcome.Done<TreeStop>(var stop)
                && stop.isOver();
    }

    private static String why(Removal removal) {
        var reason = removal.order().reason();
        return "removed by %s%s".formatted(removal.id(), reason == null ? "" : ": " + reason);
    }

    private List<Session> alive(Removal removal) {
        var top = desk.sessions().find(removal.top().id()).orElseThrow();
        if (removal.detaches()) return top.state().isAlive() ? List.of(top) : List.of();
        return desk.sessions().livingLeaves(top.id());
    }

    /** Its runner cannot be asked; what it still has of it is ended when it comes back. */
    private void abandon(Session seen) {
        var now = desk.clock().instant();
        var why = "nobody could stop it in time";
        var move = new MoveRun(desk);
        var run = desk.runs().liveOf(seen.id());
        boolean lost =
                run.isPresent()
                        && move.move(run.get(), new RunEvent.RunnerVanished(now, why))
                                instanceof Outcome.Done<Run>;
        var session = desk.sessions().find(seen.id()).orElse(seen);
        if (!lost || session.state().isAlive()) {
            move.moveSession(session, new SessionEvent.StopConfirmed(now, why));
        }
    }

    /** One child at a time: each takes all below it along. */
    private boolean detach(Removal removal) {
        var top = removal.top().id();
        var children = desk.sessions().children(top, Cursor.first(1)).items();
        if (children.isEmpty()) return goOutOfSight(removal);
        var child = children.getFirst();
        parts.spending().keepInherited(child.id(), desk.clock().instant());
        removals.detached(removal.id(), child.id());
        desk.sessions().uproot(child.id());
        var fact = new Fact.SessionDetached(removal.id().value(), top.value());
        desk.journal().append(child.id(), null, fact, desk.clock().instant());
        return true;
    }

    /** The instant from which on nobody sees any of it. */
    private boolean goOutOfSight(Removal removal) {
        var now = desk.clock().instant();
        var top = desk.sessions().find(removal.top().id()).orElseThrow();
        parts.callbacks().owedBy(desk, top, why(removal));
        removals.tellAgain(removal.id());
        return moved(removal, new RemovalEvent.WentOutOfSight(now));
    }

    private boolean tellOfEnd(Removal removal) {
        var now = desk.clock().instant();
        var some = removals.untold(removal.id(), TOLD_AT_ONCE);
        for (var member : some) {
            parts.callbacks().owedTo(desk, member.id(), why(removal));
            var fact = new Fact.SessionDeleted(removal.id().value(), member.name(), member.runs());
            desk.journal().appendAbout(member.id(), fact, now);
            removals.told(removal.id(), member.id());
        }
        if (!some.isEmpty()) return true;
        return moved(
                removal,
                removal.choices().purge() == Choices.Purge.NOW
                        ? new RemovalEvent.PurgeBegan(now)
                        : new RemovalEvent.AllTold(now, now.plus(parts.undoWindow())));
    }

    private boolean tellOfReturn(Removal removal) {
        var now = desk.clock().instant();
        var some = removals.untold(removal.id(), TOLD_AT_ONCE);
        for (var member : some) {
            var fact = new Fact.SessionRestored(removal.id().value(), member.name());
            desk.journal().append(member.id(), null, fact, now);
            removals.told(removal.id(), member.id());
        }
        return !some.isEmpty() || release(removal);
    }

    /** The top last, so that the fence is up until it is over. */
    private boolean release(Removal removal) {
        return removals.release(removal.id(), ENLISTED_AT_ONCE) == ENLISTED_AT_ONCE
                || moved(removal, new RemovalEvent.AllBack(desk.clock().instant()));
    }
}
