package dev.coppice.removal;

import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Counted;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.removal.Removals.AnnouncementOrder;
import dev.coppice.run.MoveRun;
import dev.coppice.run.Ports;
import dev.coppice.run.RunEvent;
import dev.coppice.session.Ancestor;
import dev.coppice.session.Session;
import dev.coppice.session.SessionEvent;
import dev.coppice.stop.StopSession;
import dev.coppice.stop.StopTree;
import dev.coppice.stop.TreeStop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Advances removals. Each call does a bounded part of one step, in one transaction that also
 * records the progress. After a crash every part can be repeated, by any coordinator.
 */
public final class RemovalSteps {
    private static final System.Logger LOG = System.getLogger("removal");

    /** Removals that wait are included, and must not keep others from their turn. */
    private static final int REMOVALS_PER_SWEEP_MAX = 1_000;

    private static final int ENLISTED_AT_ONCE = 100;
    private static final int ANNOUNCED_AT_ONCE = 50;
    private static final int PURGED_AT_ONCE = 150;
    private static final int PIECES_AT_ONCE_MAX = 10;
    private static final Duration RESTORING_SILENT_MAX = Duration.ofMinutes(2);

    /** A file can be large, so after failures it is not written again at once. */
    private static final Duration BACKUP_PAUSE_MAX = Duration.ofSeconds(30);

    private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);
    private final RemoveTree.Parts parts;
    private final Ports ports;
    private final Removals removals;
    private final StopTree stopTree;
    private final RemovalMoves moves;
    private final WorkSteps work;
    private final RemovalAudit audit;
    private final Survey.Requests surveys = new Survey.Requests();

    public RemovalSteps(RemoveTree.Parts parts) {
        this.parts = parts;
        this.ports = parts.ports();
        this.removals = parts.removals();
        this.stopTree = parts.stopTree();
        this.audit = new RemovalAudit(parts.audit(), ports.clock());
        this.work = new WorkSteps(parts, audit);
        this.moves = new RemovalMoves(ports, removals, audit);
    }

    /** Advances every due removal; returns how many moved. */
    public int advance() {
        var now = ports.clock().instant();
        var due = ports.transactions().read(() -> removals.due(now, REMOVALS_PER_SWEEP_MAX));
        surveys.keepOnly(due.stream().map(Removal::id).collect(Collectors.toSet()));
        int moved = 0;
        for (var removal : due) {
            try {
                if (advance(removal)) moved++;
                moves.clearFailures(removal);
            } catch (RuntimeException e) {
                // A failure of one removal must not hold up the others.
                LOG.log(System.Logger.Level.WARNING, "a step failed of " + removal.id(), e);
                moves.failed(removal.id(), Duration.ZERO, e);
            }
        }
        return moved;
    }

    private boolean advance(Removal seen) {
        boolean moved =
                ports.transactions()
                        .writeInBackground(() -> {
                            return pieces(seen.id());
                        });
        // Counting a large tree takes seconds: do it outside the write transaction.
        var top = seen.top().id();
        var children = seen.choices().children();
        boolean made =
                surveys.make(
                        seen.id(),
                        () -> ports.transactions().read(() -> removals.survey(top, children)));
        return moved || made;
    }

    /** Does parts of one step until it ends or another transaction waits; true if it did any. */
    private boolean pieces(RemovalId id) {
        var now = removals.find(id);
        for (int i = 0; i < PIECES_AT_ONCE_MAX; i++) {
            if (now.isEmpty() || !advanceStep(now.get())) return i > 0;
            var step = now.get().state().word();
            now = removals.find(id);
            boolean same = now.isPresent() && now.get().state().word().equals(step);
            if (!same || surveys.isAsked(id) || ports.transactions().othersWait()) return true;
        }
        return true;
    }

    private boolean advanceStep(Removal removal) {
        var now = ports.clock().instant();
        return switch (removal.state()) {
            case RemovalState.Fencing _ -> fence(removal);
            case RemovalState.Quiescing _ -> quiesce(removal);
            case RemovalState.Preserving _ -> preserve(removal);
            case RemovalState.BackingUp _ ->
                    removal.choices().preservation().backup() == Choices.Backup.NO
                            && finishBackup(removal);
            case RemovalState.Detaching _ -> detach(removal);
            case RemovalState.Hiding _ -> announceRemoval(removal);
            case RemovalState.Hidden(_, var until) ->
                    !until.isAfter(now)
                            // A confirmed plan for a session above includes this removal.
                            && !parts.planner().isBelowFence(removal)
                            && moved(removal, new RemovalEvent.PurgeBegan(now));
            case RemovalState.Purging _ -> purge(removal);
            case RemovalState.Restoring(var last) ->
                    // The process that read the backup is gone; roll the restore back.
                    last.plus(RESTORING_SILENT_MAX).isBefore(now)
                            && moved(removal, new RemovalEvent.RestoreFailed(now));
            case RemovalState.Undoing _ -> announceReturn(removal);
            case RemovalState.TakingBack _ -> {
                stopTree.cancel(ports, removal.top().id(), removal.id().value());
                yield release(removal);
            }
            case RemovalState.Over _ -> false;
        };
    }

    /** Removals hidden below are purged along with this one, and change their state too. */
    private boolean purge(Removal removal) {
        var now = ports.clock().instant();
        for (var below : removals.hiddenBelow(removal)) {
            moves.move(below, new RemovalEvent.PurgeBegan(now));
        }
        // Create the tasks before the rows that know the directories are gone.
        var cleanedUp = work.cleanUp(removal);
        if (cleanedUp instanceof WorkSteps.Piece.More) return true;
        if (removals.purgeSome(removal, PURGED_AT_ONCE)) return true;
        return switch (cleanedUp) {
            case WorkSteps.Piece.Waits(var what) -> moves.waits(removal, what);
            case WorkSteps.Piece.More _, WorkSteps.Piece.Done _, WorkSteps.Piece.Broken _ -> {
                work.forget(removal, parts.backups());
                yield moved(removal, new RemovalEvent.RowsDeleted(now));
            }
        };
    }

    private boolean preserve(Removal removal) {
        var now = ports.clock().instant();
        return switch (work.preserve(removal)) {
            case WorkSteps.Piece.More _ -> true;
            case WorkSteps.Piece.Done _ -> moved(removal, new RemovalEvent.WorkPreserved(now));
            case WorkSteps.Piece.Waits(var what) -> moves.waits(removal, what);
            case WorkSteps.Piece.Broken(var why) ->
                    moved(removal, new RemovalEvent.CancelBegan(now, why));
        };
    }

    /** Writes backups, each of which may take long; returns how many were written. */
    public int backUp() {
        var now = ports.clock().instant();
        var due =
                ports.transactions()
                        .read(() -> removals.due(now, REMOVALS_PER_SWEEP_MAX).stream())
                        .filter(r -> r.state() instanceof RemovalState.BackingUp)
                        .filter(r -> r.choices().preservation().backup() == Choices.Backup.YES)
                        .toList();
        int written = 0;
        for (var removal : due) {
            try {
                if (backUp(removal)) written++;
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.WARNING, "could not back up " + removal.id(), e);
                moves.failed(removal.id(), BACKUP_PAUSE_MAX, e);
            }
        }
        return written;
    }

    private boolean backUp(Removal seen) {
        try {
            var earlier = ports.transactions().read(() -> parts.planner().earlier(seen));
            var backup = parts.backups().write(seen, earlier);
            boolean left =
                    ports.transactions()
                            .write(() -> {
                                var removal = removals.find(seen.id()).orElseThrow();
                                return removal.state() instanceof RemovalState.BackingUp
                                        && finishBackup(removal.with(backup));
                            });
            var now = ports.transactions().read(() -> removals.find(seen.id())).orElseThrow();
            parts.backups().keepOnly(now.id(), now.backup());
            return left;
        } catch (Backups.NotWritten e) {
            LOG.log(System.Logger.Level.WARNING, "could not back up " + seen.id(), e);
            ports.transactions()
                    .write(() -> {
                        var what = "the backup could not be written: " + e.getMessage();
                        var removal = removals.find(seen.id()).orElseThrow();
                        // Another coordinator may have written it and moved the removal.
                        if (!(removal.state() instanceof RemovalState.BackingUp)) return false;
                        var tried =
                                removal.with(
                                        removal.tries()
                                                .failedOnce(
                                                        ports.clock().instant(), BACKUP_PAUSE_MAX));
                        removals.save(tried);
                        return moves.waits(tried, what);
                    });
            return false;
        }
    }

    /** Ends the backup step: everything that was to be preserved is. */
    private boolean finishBackup(Removal removal) {
        return removal.detaches()
                ? moved(removal, new RemovalEvent.DetachBegan(ports.clock().instant()))
                : hide(removal);
    }

    private boolean moved(Removal removal, RemovalEvent event) {
        return moves.move(removal, event).isPresent();
    }

    private boolean fence(Removal removal) {
        if (!removal.detaches() && removals.enlist(removal, ENLISTED_AT_ONCE) > 0) return true;
        var now = ports.clock().instant();
        return switch (work.inspectAgain(removal)) {
            case WorkSteps.Piece.More _ -> true;
            case WorkSteps.Piece.Done _ -> fenced(removal);
            case WorkSteps.Piece.Waits(var what) -> moves.waits(removal, what);
            case WorkSteps.Piece.Broken(var why) ->
                    moved(removal, new RemovalEvent.CancelBegan(now, why));
        };
    }

    private boolean fenced(Removal removal) {
        var survey = surveys.of(removal);
        if (survey == null) return true;
        var now = ports.clock().instant();
        var change = work.changed(removal);
        return moved(
                removal.with(survey.taken()),
                change == null
                        ? new RemovalEvent.Fenced(now)
                        : new RemovalEvent.CancelBegan(now, change));
    }

    private boolean quiesce(Removal removal) {
        var alive = alive(removal);
        var now = ports.clock().instant();
        if (alive.isEmpty()) {
            // Count again: sessions wrote events until they stopped.
            var all = surveys.of(removal);
            return all == null || moved(removal.with(all.taken()), new RemovalEvent.Quiesced(now));
        }
        boolean late = removal.state().since().plus(removal.choices().deadline()).isBefore(now);
        // Ask even when late: a coordinator that was down until now has not asked yet.
        boolean over = stop(removal);
        if (!late || over) return over;
        var who = RestoreTree.Shown.of(alive.stream().map(Session::name).toList());
        if (removal.choices().unreachable() == Choices.Unreachable.ABANDON) {
            alive.forEach(s -> abandon(removal.id(), s));
            audit.leftUndone(removal, "not stopped in time: " + who);
            return true;
        }
        var what = Counted.of(alive.size(), "session has", "sessions have") + " not ended: " + who;
        return moves.waits(removal, what);
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

    private List<Session> alive(Removal removal) {
        var top = ports.sessions().find(removal.top().id()).orElseThrow();
        if (removal.detaches()) return top.state().isAlive() ? List.of(top) : List.of();
        return ports.sessions().liveLeaves(top.id());
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

    /** Detaches one child, with everything below it. */
    private boolean detach(Removal removal) {
        var top = removal.top().id();
        var children = ports.sessions().children(top, Cursor.first(1)).items();
        if (children.isEmpty()) return hide(removal);
        var child = children.getFirst();
        parts.callbacks().recordLostParent(ports, child, top, removal.by());
        var spending = parts.spending();
        var before = spending.own(child.id());
        spending.keepInherited(child.id(), ports.clock().instant());
        var own = new Removals.Own(child.limits(), before, spending.own(child.id()));
        removals.detached(removal.id(), child.id(), own);
        var limits = Ancestor.limitsOf(ports.sessions().ancestry(child.id()));
        ports.sessions().detach(child.id(), limits);
        var fact = new Fact.SessionDetached(removal.id().value(), top.value());
        ports.journal().append(child.id(), null, fact, ports.clock().instant());
        audit.moved(removal, child, RemovalAudit.Detached.AWAY);
        return true;
    }

    /** Hides the tree, at one instant. */
    private boolean hide(Removal removal) {
        var now = ports.clock().instant();
        var top = ports.sessions().find(removal.top().id()).orElseThrow();
        parts.callbacks().giveUpOwedToParent(ports, top, removal.by());
        removals.markAllUnannounced(removal.id());
        return moved(removal, new RemovalEvent.HidingBegan(now));
    }

    private boolean announceRemoval(Removal removal) {
        var now = ports.clock().instant();
        var some =
                removals.unannounced(
                        removal.id(), AnnouncementOrder.CHILDREN_FIRST, ANNOUNCED_AT_ONCE);
        var facts = new ArrayList<Journal.About>();
        for (var member : some) {
            parts.callbacks().giveUpOwedTo(ports, member.id(), removal.by());
            var fact = new Fact.SessionDeleted(removal.id().value(), member.name(), member.runs());
            facts.add(new Journal.About(member.id(), fact));
            removals.markAnnounced(removal.id(), member.id());
        }
        ports.journal().appendAll(facts, now);
        if (!some.isEmpty()) {
            RemoveTree.logged(removal, some);
            return true;
        }
        return moved(
                removal,
                removal.choices().purge() == Choices.Purge.NOW
                        ? new RemovalEvent.PurgeBegan(now)
                        : new RemovalEvent.Announced(
                                now, moves.undoUntil(removal, parts.undoWindow())));
    }

    private boolean announceReturn(Removal removal) {
        var now = ports.clock().instant();
        var some =
                removals.unannounced(
                        removal.id(), AnnouncementOrder.PARENTS_FIRST, ANNOUNCED_AT_ONCE);
        var facts = new ArrayList<Journal.About>();
        for (var member : some) {
            parts.callbacks().reviveOwedTo(ports, member.id(), removal.by());
            var range = RestoreTree.settleRestored(ports, removal, member);
            var id = removal.id().value();
            var fact = new Fact.SessionRestored(id, member.name(), range.first(), range.last());
            facts.add(new Journal.About(member.id(), fact));
            removals.markAnnounced(removal.id(), member.id());
        }
        ports.journal().appendAll(facts, now);
        return !some.isEmpty() || release(removal);
    }

    /** Releases the top last, so that the fence is up until the removal is over. */
    private boolean release(Removal removal) {
        if (work.releaseRefs(removal)) return true;
        if (removals.release(removal.id(), ENLISTED_AT_ONCE) == ENLISTED_AT_ONCE) return true;
        var top = removal.top();
        if (top.parent() != null) parts.callbacks().deliverDeferred(ports, top.id(), top.parent());
        return moved(removal, new RemovalEvent.Reverted(ports.clock().instant()));
    }
}
