package dev.coppice.removal;

import dev.coppice.work.DirectoryTaskId;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Where whole trees are written to. Works outside of any transaction, because a large tree takes
 * its time; what it writes about stands still meanwhile.
 */
public interface Backups {
    /**
     * Writes what a removal takes into one file, and reads that back; doing it again is harmless.
     * The backups of those that were hidden below it before are in it, the first one first.
     */
    Removal.Backup write(Removal removal, List<Removal> earlier);

    /** Whatever else was written of this removal, by others or before a crash, is not needed. */
    void keepOnly(RemovalId removal, Removal.@Nullable Backup backup);

    /** What was kept in this file is needed no more. */
    void drop(String preservedFile);

    /** The same of all that was kept for an task. */
    void drop(DirectoryTaskId task);

    /** It could not be written, and nothing of it is there. */
    final class NotWritten extends RuntimeException {
        private static final long serialVersionUID = 1;

        public NotWritten(String why, Throwable cause) {
            super(why, cause);
        }
    }
}
