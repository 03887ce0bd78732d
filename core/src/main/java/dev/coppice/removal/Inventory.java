package dev.coppice.removal;

import java.util.List;

/**
 * Looks whether anything points to something that is gone. Written apart from all that deletes, so
 * that it cannot make the same mistake. Acts within the transaction under way.
 */
public interface Inventory {
    /** Something that should not be: what it is, how many there are, and some of them. */
    record Leftover(String what, long count, List<String> some) {
        public Leftover {
            some = List.copyOf(some);
        }
    }

    List<Leftover> leftovers();

    /** The files that something in the database remembers, by the names it remembers them by. */
    List<String> backups();

    List<String> preservedFiles();

    /** Whether the removal is one of ours; others may work in the same repositories. */
    boolean isKnown(String removal);

    /** Whether refs that this removal has made may still be there. */
    boolean mayHaveRefs(String removal);

    boolean isLive(String run);

    /** Whether a runner has said that its output is taken away, and nobody here has it since. */
    boolean wasTakenAway(String run);

    /** Whether a session has this id, or had it when it was removed. */
    boolean isOfASession(String id);

    /** Whether this directory was said to be taken away, and whose it was is gone. */
    boolean wasTakenAway(String host, String directory);
}
