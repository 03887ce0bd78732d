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

    /** The cursor in a request is malformed. The message is the cursor. */
    public static final class BadCursor extends RuntimeException {
        private static final long serialVersionUID = 1;

        public BadCursor(String cursor) {
            super(cursor);
        }
    }
}
