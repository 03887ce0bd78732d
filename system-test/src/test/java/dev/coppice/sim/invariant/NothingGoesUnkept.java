package dev.coppice.sim.invariant;

import dev.coppice.removal.Choices;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalState;
import dev.coppice.sim.World;

import java.util.Optional;

/**
 * 8. Nothing goes out of sight before what was promised to be kept of it is kept: its unsaved work
 * as it was when the last process had ended, and its backup. Nor does it go for good before the
 * time for an undo is over, unless someone has asked for that.
 */
public final class NothingGoesUnkept implements Invariant {
    @Override
    public Optional<String> broken(World world) {
        var early = world.removals().stream().filter(r -> isEarly(world, r)).findFirst();
        if (early.isPresent()) return early.map(r -> r.id() + " is purged before its time");
        return world.removals().stream()
                .filter(r -> r.state().isOutOfSight() && !isGoing(r))
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
     * Once rows are going, the same ids may be born again and work anew. What comes in from a file
     * is in that file.
     */
    private static boolean isGoing(Removal removal) {
        return removal.state() instanceof RemovalState.Purging
                || removal.state() instanceof RemovalState.Restoring
                || removal.state().isOver();
    }

    private static Optional<String> missing(World world, Removal removal) {
        var keeping = removal.choices().keeping();
        if (keeping.backup() == Choices.Backup.YES && !world.isBackedUp(removal)) {
            return Optional.of(removal.id() + " has no backup");
        }
        boolean promised =
                keeping.work() == Choices.Work.PRESERVE
                        && removal.choices().unreachable() == Choices.Unreachable.WAIT;
        var unkept = promised ? world.unkept(removal) : java.util.List.of();
        return unkept.isEmpty()
                ? Optional.empty()
                : Optional.of(removal.id() + " has not kept " + unkept);
    }
}
