package dev.coppice.store;

import dev.coppice.kernel.Slice;

import java.util.List;
import java.util.function.Function;

/** Paging by key: one item more than wanted is read, to know whether anything follows. */
final class Keyset {
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

    /** A cursor that is not ours leads nowhere rather than failing. */
    static long number(String cursor) {
        try {
            return Long.parseLong(cursor);
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}
