package dev.coppice.sim.invariant;

import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalState;
import dev.coppice.sim.World;
import dev.coppice.word.Choice;

import java.util.Optional;

/**
 * 8. A tree is hidden only after everything that its removal promised is preserved: its unsaved
 * work as of the end of the last process, and its backup. It is purged only after the undo window,
 * unless a caller asked for an earlier purge.
 */
public final class WorkIsPreserved implements Invariant<World> {
    @Override
    public Optional<String> broken(World world) {
        var early = world.removals().stream().filter(r -> isEarly(world, r)).findFirst();
        if (early.isPresent())
            return early.map(r -> r.id() + " is purged before its undo window is over");
        return world.removals().stream()
                .filter(r -> r.state().hidesSessions() && !isGoing(r))
                .flatMap(r -> missing(world, r).stream())
                .findFirst();
    }

    private static boolean isEarly(World world, Removal removal) {
        var until = removal.times().undoUntil();
        return until != null
                && removal.state() instanceof RemovalState.Purging(var since, _)
                && since.isBefore(until)
                && !world.isAskedToPurge(removal);
    }

    /**
     * During a purge the same ids may be created again and do new work. During a restore the work
     * is still in the backup.
     */
    private static boolean isGoing(Removal removal) {
        return removal.state() instanceof RemovalState.Purging
                || removal.state() instanceof RemovalState.Restoring
                || removal.state().isOver();
    }

    private static Optional<String> missing(World world, Removal removal) {
        var preservation = removal.choices().preservation();
        if (preservation.backup() == Choice.Backup.YES && !world.isBackedUp(removal)) {
            return Optional.of(removal.id() + " has no backup");
        }
        boolean promised =
                preservation.work() == Choice.Work.PRESERVE
                        && removal.choices().unreachable() == Choice.Unreachable.WAIT;
        var unpreserved = promised ? world.unpreserved(removal) : java.util.List.of();
        return unpreserved.isEmpty()
                ? Optional.empty()
                : Optional.of(removal.id() + " has not preserved " + unpreserved);
    }
}
