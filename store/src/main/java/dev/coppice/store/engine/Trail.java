package dev.coppice.store.engine;

/**
 * The keys from a root down to a session, encoded so that text order is numeric order: each key in
 * base 32, preceded by its length as a letter. A subtree is then one range of the index, siblings
 * sort in order of creation, and 256 levels fit into an index entry.
 */
public final class Trail {
    /** Greater than every character of a trail. */
    private static final String END = "~";

    /** Less than every character of a trail. */
    private static final String BEHIND = "!";

    /** Greater than all trails. */
    public static final String LAST = END;

    private Trail() {}

    public static String of(String parentTrail, long key) {
        var digits = Long.toString(key, 32);
        return parentTrail + (char) ('A' + digits.length()) + digits;
    }

    /** Greater than the trail of the session, less than those of all its descendants. */
    public static String behind(String trail) {
        return trail + BEHIND;
    }

    /** Greater than the trails of the session and of all its descendants. */
    public static String end(String trail) {
        return trail + END;
    }
}
