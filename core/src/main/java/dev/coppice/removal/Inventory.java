package dev.coppice.removal;

import java.util.List;

/**
 * Finds references to things that no longer exist. Written independently of the code that deletes,
 * so that it cannot repeat a mistake of that code. Every method joins the current transaction.
 */
public interface Inventory {
    /** An inconsistency: what it is, how many rows have it, and some of their ids. */
    record Leftover(String what, long count, List<String> some) {
        public Leftover {
            some = List.copyOf(some);
        }
    }

    List<Leftover> leftovers();

    /** The names of the backup files that the database refers to. */
    List<String> backups();

    List<String> preservedFiles();

    /**
     * True if this database has the removal. Other coordinators may work in the same repositories.
     */
    boolean isKnown(String removal);

    /** True if refs that this removal made may still exist. */
    boolean mayHaveRefs(String removal);

    boolean isLive(String run);

    /** True if a runner deleted the output of this run and the run no longer exists. */
    boolean wasDeleted(String run);

    /** True if a session has this id, or had it when it was removed. */
    boolean isOfASession(String id);

    /** True if a runner deleted this directory and its session no longer exists. */
    boolean wasDeleted(String host, String directory);
}
