package dev.coppice.removal;

import dev.coppice.work.DirectoryTaskId;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Backup files of whole trees. Writing runs outside of any transaction, because a large tree takes
 * long; the fence keeps the tree unchanged meanwhile.
 */
public interface Backups {
    /**
     * Writes the tree of a removal into one file and reads it back to verify it. Safe to repeat.
     * The file contains the backups of removals that were hidden below it before, oldest first.
     */
    Removal.Backup write(Removal removal, List<Removal> earlier);

    /** Deletes all other files of this removal, from other coordinators or from before a crash. */
    void keepOnly(RemovalId removal, Removal.@Nullable Backup backup);

    /** Deletes a file of preserved work. */
    void drop(String preservedFile);

    /** Deletes all files that were preserved for a directory task. */
    void drop(DirectoryTaskId task);

    /** The backup could not be written; no part of it remains. */
    final class NotWritten extends RuntimeException {
        private static final long serialVersionUID = 1;

        public NotWritten(String why, Throwable cause) {
            super(why, cause);
        }
    }
}
