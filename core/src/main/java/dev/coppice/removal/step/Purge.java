package dev.coppice.removal.step;

import dev.coppice.removal.Backups;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalEvent;
import dev.coppice.removal.RemovalMoves;
import dev.coppice.removal.Removals;

import java.time.InstantSource;

/** Deletes the rows of a hidden tree, and what Coppice made on the hosts. */
record Purge(
        Removals removals, RemovalMoves moves, WorkTasks work, Backups backups, InstantSource clock)
        implements Step {
    private static final int PURGED_AT_ONCE = 150;

    /** Removals hidden below are purged along with this one, and change their state too. */
    @Override
    public Piece advance(Removal removal) {
        var now = clock.instant();
        for (var below : removals.hiddenBelow(removal)) {
            moves.move(below, new RemovalEvent.PurgeBegan(now));
        }
        // Create the tasks first: the rows name the directories.
        var cleanedUp = work.cleanUp(removal);
        if (cleanedUp instanceof Piece.More) return cleanedUp;
        if (removals.purgeSome(removal, PURGED_AT_ONCE)) return new Piece.More();
        if (cleanedUp instanceof Piece.Waits) return cleanedUp;
        work.forget(removal, backups);
        return new Piece.Ends(removal, new RemovalEvent.RowsDeleted(now));
    }
}
