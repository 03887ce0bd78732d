package dev.coppice.removal.step;

import dev.coppice.removal.Backups;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalEvent;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalMoves;
import dev.coppice.removal.Removals;

import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Deletes the rows and files of a hidden tree, and what Coppice made on the hosts. */
final class Purge implements Step {
    private static final int PURGED_AT_ONCE = 150;
    private final Removals removals;
    private final RemovalMoves moves;
    private final WorkTasks work;
    private final Backups backups;
    private final InstantSource clock;

    /** The purges that wait for their files to be deleted. */
    private final Set<RemovalId> wanted = ConcurrentHashMap.newKeySet();

    /** The purges under way whose files are deleted. */
    private final Set<RemovalId> dropped = ConcurrentHashMap.newKeySet();

    Purge(
            Removals removals,
            RemovalMoves moves,
            WorkTasks work,
            Backups backups,
            InstantSource clock) {
        this.removals = removals;
        this.moves = moves;
        this.work = work;
        this.backups = backups;
        this.clock = clock;
    }

    /**
     * Deletes the files just before a write deletes their rows, if that waits for it: each is a
     * call of the disk. True if the purge can go on.
     */
    boolean dropsFiles(Removal removal) {
        if (!wanted.remove(removal.id())) return false;
        work.dropFiles(removal, backups);
        dropped.add(removal.id());
        return true;
    }

    /** Forgets purges that ended here or elsewhere. */
    void keepOnly(Set<RemovalId> due) {
        wanted.retainAll(due);
        dropped.retainAll(due);
    }

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
        if (!dropped.contains(removal.id())) {
            wanted.add(removal.id());
            return new Piece.Waits(null);
        }
        work.forget(removal);
        return new Piece.Ends(removal, new RemovalEvent.RowsDeleted(now));
    }
}
