package dev.coppice.removal.step;

import dev.coppice.budget.Spending;
import dev.coppice.callback.SettleRemoved;
import dev.coppice.removal.Backups;
import dev.coppice.removal.PlanRemoval;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalAudit;
import dev.coppice.removal.RemovalEvent;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalMoves;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.Removals;
import dev.coppice.run.Ports;
import dev.coppice.stop.StopTree;
import dev.coppice.work.DirectoryTasks;
import dev.coppice.work.Workplaces;

import java.time.Duration;
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

    private static final int PIECES_AT_ONCE_MAX = 10;
    private static final Duration RESTORING_SILENT_MAX = Duration.ofMinutes(2);
    private final PlanRemoval planner;
    private final SettleRemoved callbacks;
    private final Ports ports;
    private final Removals removals;
    private final RemovalMoves moves;
    private final Surveys surveys = new Surveys();
    private final Fence fence;
    private final Quiesce quiesce;
    private final Preserve preserve;
    private final BackUp backUp;
    private final Detach detach;
    private final Hide hide;
    private final Purge purge;

    public RemovalSteps(
            Ports ports,
            Removals removals,
            RemovalAudit audit,
            RemovalMoves moves,
            PlanRemoval planner,
            DirectoryTasks tasks,
            Workplaces workplaces,
            Backups backups,
            SettleRemoved callbacks,
            Spending spending,
            StopTree stopTree,
            Duration undoWindow) {
        this.ports = ports;
        this.removals = removals;
        this.moves = moves;
        this.planner = planner;
        this.callbacks = callbacks;
        var work = new WorkTasks(ports, tasks, workplaces, planner, audit);
        this.fence = new Fence(ports, removals, work, surveys);
        this.quiesce = new Quiesce(ports, removals, stopTree, surveys, audit);
        this.preserve = new Preserve(work, ports.clock());
        this.hide = new Hide(ports, removals, moves, callbacks, undoWindow);
        this.backUp = new BackUp(ports, removals, planner, backups, moves, hide);
        this.detach = new Detach(ports, removals, callbacks, spending, audit, hide);
        this.purge = new Purge(removals, moves, work, backups, ports.clock());
    }

    /** Advances every due removal; returns how many moved. */
    public int advance() {
        var due = due();
        var ids = due.stream().map(Removal::id).collect(Collectors.toSet());
        surveys.keepOnly(ids);
        purge.keepOnly(ids);
        int moved = 0;
        for (var removal : due) {
            try {
                if (advance(removal)) moved++;
                moves.clearFailures(removal);
            } catch (RuntimeException e) {
                // A failure of one removal must not hold up the others.
                LOG.log(System.Logger.Level.WARNING, "a step of " + removal.id() + " failed", e);
                moves.failed(removal.id(), Duration.ZERO, e);
            }
        }
        return moved;
    }

    /** Writes backups, each of which may take long; returns how many were written. */
    public int backUp() {
        var due =
                due().stream()
                        .filter(r -> r.state() instanceof RemovalState.BackingUp)
                        .filter(BackUp::isWanted)
                        .toList();
        int written = 0;
        for (var removal : due) if (backUp.write(removal)) written++;
        return written;
    }

    private List<Removal> due() {
        var now = ports.clock().instant();
        return ports.transactions().read(() -> removals.due(now, REMOVALS_PER_SWEEP_MAX));
    }

    private boolean advance(Removal seen) {
        boolean moved = ports.transactions().writeInBackground(() -> pieces(seen.id()));
        if (purge.dropsFiles(seen)) {
            moved |= ports.transactions().writeInBackground(() -> pieces(seen.id()));
        }
        // Counting a large tree takes seconds: do it outside the write transaction.
        var top = seen.top().id();
        var children = seen.choices().children();
        boolean made =
                surveys.make(
                        seen.id(),
                        () -> ports.transactions().read(() -> removals.survey(top, children)));
        return moved || made;
    }

    /** Does pieces of one step until it ends or another transaction waits; true if it did any. */
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
        var piece = piece(removal);
        return switch (piece) {
            case Piece.More _ -> true;
            case Piece.Done _ -> false;
            case Piece.Waits(var what) -> moves.waits(removal, what);
            case Piece.Broken(var why) -> {
                var now = ports.clock().instant();
                yield moves.move(removal, new RemovalEvent.CancelBegan(now, why)).isPresent();
            }
            case Piece.Ends(var ended, var event) -> moves.move(ended, event).isPresent();
        };
    }

    private Piece piece(Removal removal) {
        var now = ports.clock().instant();
        return switch (removal.state()) {
            case RemovalState.Fencing _ -> fence.advance(removal);
            case RemovalState.Quiescing _ -> quiesce.advance(removal);
            case RemovalState.Preserving _ -> preserve.advance(removal);
            case RemovalState.BackingUp _ -> backUp.advance(removal);
            case RemovalState.Detaching _ -> detach.advance(removal);
            case RemovalState.Hiding _ -> hide.advance(removal);
            case RemovalState.Hidden(_, var until) ->
                    // A confirmed plan for a session above includes this removal.
                    until.isAfter(now) || planner.isBelowFence(removal)
                            ? new Piece.Done()
                            : new Piece.Ends(removal, new RemovalEvent.PurgeBegan(now));
            case RemovalState.Purging _ -> purge.advance(removal);
            case RemovalState.Restoring(var last) ->
                    // The process that read the backup is gone; roll the restore back.
                    last.plus(RESTORING_SILENT_MAX).isBefore(now)
                            ? new Piece.Ends(removal, new RemovalEvent.RestoreFailed(now))
                            : new Piece.Done();
            case RemovalState.Undoing _ -> undo(removal, hide, preserve, fence);
            case RemovalState.TakingBack _ -> undo(removal, quiesce, preserve, fence);
            case RemovalState.Over _ -> new Piece.Done();
        };
    }

    /** Reverses a piece of the first step that is not reversed yet. */
    private Piece undo(Removal removal, Step... steps) {
        for (var step : steps) {
            var piece = step.undo(removal);
            if (!(piece instanceof Piece.Done)) return piece;
        }
        var top = removal.top();
        if (top.parent() != null) callbacks.deliverDeferred(ports, top.id(), top.parent());
        return new Piece.Ends(removal, new RemovalEvent.Reverted(ports.clock().instant()));
    }
}
