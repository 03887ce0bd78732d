package dev.coppice.store;

import dev.coppice.kernel.BadCursor;
import dev.coppice.kernel.Slice;

import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Paging by key: one item more than wanted is read, to know whether anything follows. */
final class Keyset {
    private static final Pattern TRAIL = Pattern.compile("(?:[B-N][0-9a-v]+)+");

    private Keyset() {}

    interface Item<T> {
        T value();
    }

    static <T, K extends Item<T>> Slice<T> slice(List<K> found, int max, Function<K, String> key) {
        boolean more = found.size() > max;
        var shown = more ? found.subList(0, max) : found;
        return new Slice<>(
                shown.stream().map(Item::value).toList(), more ? key.apply(shown.getLast()) : null);
    }

    static String trail(String cursor) {
        if (!TRAIL.matcher(cursor).matches()) throw new BadCursor(cursor);
        return cursor;
    }

    static long number(String cursor) {
        try {
            return Long.parseLong(cursor);
        } catch (NumberFormatException _) {
            throw new BadCursor(cursor);
        }
    }
}
