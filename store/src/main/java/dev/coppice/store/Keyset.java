package dev.coppice.store;

import dev.coppice.kernel.BadCursor;
import dev.coppice.kernel.Slice;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

/** Paging by key: one item more than wanted is read, to know whether anything follows. */
final class Keyset {
    private static final Pattern TRAIL = Pattern.compile("(?:[B-N][0-9a-v]+)+");

    private Keyset() {}

    interface Item<T> {
        T value();
    }

    /** What was read, and whether it was cut short because it grew too large. */
    record Page<K>(List<K> rows, boolean cut) {
        Page {
            rows = List.copyOf(rows);
        }

        /**
         * One page of several that are read newest first. Where one was cut short, nothing older
         * than its last row is shown of the others either: it would be missed by the next page.
         */
        static <K> Page<K> newestFirst(List<Page<K>> pages, ToLongFunction<K> key) {
            long oldest =
                    pages.stream()
                            .filter(Page::cut)
                            .mapToLong(p -> key.applyAsLong(p.rows().getLast()))
                            .max()
                            .orElse(Long.MIN_VALUE);
            var rows =
                    pages.stream()
                            .flatMap(p -> p.rows().stream())
                            .filter(row -> key.applyAsLong(row) >= oldest)
                            .sorted(Comparator.comparingLong(key).reversed())
                            .toList();
            return new Page<>(rows, oldest != Long.MIN_VALUE);
        }
    }

    static <T, K extends Item<T>> Slice<T> slice(Page<K> found, int max, Function<K, String> key) {
        boolean more = found.rows().size() > max;
        var shown = more ? found.rows().subList(0, max) : found.rows();
        return new Slice<>(
                shown.stream().map(Item::value).toList(),
                more || found.cut() ? key.apply(shown.getLast()) : null);
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
