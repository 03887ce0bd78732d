package dev.coppice.removal.step;

import dev.coppice.removal.Backups;
import dev.coppice.removal.PlanRemoval;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalEvent;
import dev.coppice.removal.RemovalMoves;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.Removals;
import dev.coppice.run.Ports;
import dev.coppice.word.Choice;

import java.time.Duration;

/**
 * Writes the tree to a backup file. That takes long, so it happens outside of the transactions in
 * which the other steps advance.
 */
record BackUp(
        Ports ports,
        Removals removals,
        PlanRemoval planner,
        Backups backups,
        RemovalMoves moves,
        Hide hide)
        implements Step {
    private static final System.Logger LOG = System.getLogger("removal");

    /** A file can be large, so after failures it is not written again at once. */
    private static final Duration PAUSE_MAX = Duration.ofSeconds(30);

    /** Ends the step if no backup is wanted. */
    @Override
    public Piece advance(Removal removal) {
        return isWanted(removal) ? new Piece.Waits(null) : end(removal);
    }

    static boolean isWanted(Removal removal) {
        return removal.choices().preservation().backup() == Choice.Backup.YES;
    }

    /** Writes the backup and ends the step; true if it did. */
    boolean write(Removal seen) {
        try {
            return writtenOrRecorded(seen);
        } catch (RuntimeException e) {
            // A failure of one backup must not hold up the others.
            LOG.log(System.Logger.Level.WARNING, "could not back up " + seen.id(), e);
            moves.failed(seen.id(), PAUSE_MAX, e);
            return false;
        }
    }

    private boolean writtenOrRecorded(Removal seen) {
        try {
            return written(seen);
        } catch (Backups.NotWritten e) {
            LOG.log(System.Logger.Level.WARNING, "could not back up " + seen.id(), e);
            notWritten(seen, "the backup could not be written: " + e.getMessage());
            return false;
        }
    }

    private boolean written(Removal seen) {
        var transactions = ports.transactions();
        var earlier = transactions.read(() -> planner.earlier(seen));
        var backup = backups.write(seen, earlier);
        boolean ended =
                transactions.write(() -> {
                    var removal = removals.find(seen.id()).orElseThrow();
                    return isUnderWay(removal)
                            && end(removal.with(backup)) instanceof Piece.Ends(var r, var event)
                            && moves.move(r, event).isPresent();
                });
        var now = transactions.read(() -> removals.find(seen.id())).orElseThrow();
        backups.keepOnly(now.id(), now.backup());
        return ended;
    }

    private void notWritten(Removal seen, String what) {
        ports.transactions()
                .write(() -> {
                    var removal = removals.find(seen.id()).orElseThrow();
                    if (!isUnderWay(removal)) return false;
                    var now = ports.clock().instant();
                    var tried = removal.with(removal.tries().failedOnce(now, PAUSE_MAX));
                    removals.save(tried);
                    return moves.waits(tried, what);
                });
    }

    /** False if another coordinator wrote the backup and moved the removal. */
    private static boolean isUnderWay(Removal removal) {
        return removal.state() instanceof RemovalState.BackingUp;
    }

    /** Ends the step: detaches the children next, or hides the tree. */
    private Piece end(Removal removal) {
        var now = ports.clock().instant();
        return removal.detaches()
                ? new Piece.Ends(removal, new RemovalEvent.DetachBegan(now))
                : hide.begin(removal);
    }
}
