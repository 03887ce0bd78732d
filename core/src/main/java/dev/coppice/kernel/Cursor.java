package dev.coppice.kernel;

import org.jspecify.annotations.Nullable;

/** Where in a list to go on, and for how many items. Lists are paged by key, never by offset. */
public record Cursor(@Nullable String after, int max) {
    public static Cursor first(int max) {
        return new Cursor(null, max);
    }
}
