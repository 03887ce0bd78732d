package dev.coppice.store;

/**
 * The keys from a root down to a session, spelt so that their order as text is their order as
 * numbers: each key in base 32, with its length as a letter before it. A subtree is then one range
 * of the index, siblings stand in the order they were born, and 256 levels stay below what an index
 * entry may hold.
 */
final class Trail {
    /** Greater than every letter a trail is made of. */
    private static final String END = "~";

    private Trail() {}

    static String of(String parentTrail, long key) {
        var digits = Long.toString(key, 32);
        return parentTrail + (char) ('A' + digits.length()) + digits;
    }

    /** No trail at or below this one is as great. */
    static String end(String trail) {
        return trail + END;
    }
}
