package dev.coppice.kernel;

import org.jspecify.annotations.Nullable;

/**
 * The key after which a page begins, and the maximum number of its items. Lists are paged by key,
 * never by offset.
 */
public record Cursor(@Nullable String after, int max) {
    public static Cursor first(int max) {
        return new Cursor(null, max);
    }

    /** The rejection of a malformed cursor; only the store can tell whether a value is a cursor. */
    public static Rejected malformed(String cursor) {
        var rule = "the cursor 'next' of an earlier page";
        return new Rejected(new RequestRefusal.BadValue("after", cursor, rule));
    }
}
