package dev.coppice.store.engine;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import org.jspecify.annotations.Nullable;

import java.util.function.Function;
import java.util.regex.Pattern;

/** Paging by key. A query reads one item more than the page holds, to know whether more follow. */
public final class Keyset {
    private static final Pattern TRAIL = Pattern.compile("(?:[B-N][0-9a-v]+)+");

    /** A trail followed by one of the end marks of {@link Trail}. */
    private static final Pattern PLACE = Pattern.compile("(?:[B-N][0-9a-v]+)+[!~]");

    private Keyset() {}

    /**
     * Two queries that list rows newest first: {@code all} by key, and {@code within} a session and
     * all below it by the index on the session.
     */
    public record Newest(Sql all, Sql within) {
        /** {@code select} reads rows {@code a} with their key, and ends in a condition. */
        public static Newest of(String select) {
            return new Newest(
                    Sql.of(
                            select
                                    + """
                                     and a.key < :before order by a.key desc limit :max
                                    """),
                    Sql.of(
                            select
                                    + """
                                     and a.key < :before and a.session in (
                                        select x.key from any_session x
                                        where x.trail >= :trail and x.trail < :end)
                                    order by +a.key desc limit :max
                                    """));
        }
    }

    public interface Item<T> {
        T value();
    }

    private record Placed<T>(T value, long key) implements Item<T> {}

    /** Reads a page of a list, for one session and all below it if there is one. */
    public static <T> Slice<T> newestFirst(
            Newest list, @Nullable SessionId within, Cursor cursor, Call.RowReader<T> reader) {
        var after = cursor.after();
        int max = cursor.max();
        var call =
                Tx.call(within == null ? list.all() : list.within())
                        .set("before", after == null ? Long.MAX_VALUE : number(after))
                        .set("max", max + 1L);
        if (within != null) {
            var trail = Tx.Keys.of(within).trail();
            call.set("trail", trail).set("end", Trail.end(trail));
        }
        var found = call.page(max + 1, row -> new Placed<>(reader.read(row), row.number("key")));
        return slice(found, max, placed -> Long.toString(placed.key()));
    }

    public static <T, K extends Item<T>> Slice<T> slice(
            Call.Page<K> found, int max, Function<K, String> key) {
        boolean more = found.rows().size() > max;
        var shown = more ? found.rows().subList(0, max) : found.rows();
        return new Slice<>(
                shown.stream().map(Item::value).toList(),
                more || found.cut() ? key.apply(shown.getLast()) : null);
    }

    public static String trail(String cursor) {
        if (!TRAIL.matcher(cursor).matches()) throw Cursor.malformed(cursor);
        return cursor;
    }

    public static String place(String cursor) {
        if (!PLACE.matcher(cursor).matches()) throw Cursor.malformed(cursor);
        return cursor;
    }

    public static long number(String cursor) {
        try {
            return Long.parseLong(cursor);
        } catch (NumberFormatException _) {
            throw Cursor.malformed(cursor);
        }
    }
}
