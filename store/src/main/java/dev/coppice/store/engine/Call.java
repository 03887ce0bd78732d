package dev.coppice.store.engine;

import dev.coppice.kernel.Bounds;

import org.jspecify.annotations.Nullable;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/** One use of a statement: binds its parameters by name, then executes it. */
public final class Call {
    private static final int ROWS_AT_ONCE = 500;

    /** For rows that may hold megabytes each. */
    private static final int LARGE_ROWS_AT_ONCE = 8;

    private final Sql sql;
    private final PreparedStatement statement;
    private final Prepared prepared;
    private final BitSet bound = new BitSet();

    public Call(Sql sql, Prepared prepared) throws SQLException {
        this.sql = sql;
        this.prepared = prepared;
        this.statement = prepared.of(sql.text());
    }

    public interface RowReader<T> {
        T read(Row row) throws SQLException;
    }

    /** The rows read. {@code cut} is true if reading stopped early at the size limit. */
    public record Page<K>(List<K> rows, boolean cut) {
        public Page {
            rows = List.copyOf(rows);
        }

        /**
         * Merges pages that are each read newest first. If one was cut, rows of the others that are
         * older than its last row are dropped: otherwise the next page would skip the rows in
         * between.
         */
        public static <K> Page<K> newestFirst(List<Page<K>> pages, ToLongFunction<K> key) {
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

    public Call set(String name, @Nullable String value) {
        return each(name, at -> statement.setString(at, value));
    }

    public Call set(String name, long value) {
        return each(name, at -> statement.setLong(at, value));
    }

    /** An enum constant is stored as its name in lower case; {@link Row#constant} reads it. */
    public Call set(String name, Enum<?> value) {
        return set(name, value.name().toLowerCase(Locale.ROOT));
    }

    public Call setNumber(String name, @Nullable Number value) {
        return each(
                name,
                at -> {
                    if (value == null) statement.setNull(at, Types.BIGINT);
                    else statement.setLong(at, value.longValue());
                });
    }

    /** Binds null to a column of any type. */
    public Call setNothing(String name) {
        return each(name, at -> statement.setNull(at, Types.NULL));
    }

    public Call set(String name, @Nullable Instant value) {
        return setNumber(name, value == null ? null : value.toEpochMilli());
    }

    public int update() {
        checkBound();
        try {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Adds the parameters set so far to a batch. */
    public void add() {
        checkBound();
        try {
            statement.addBatch();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Executes the batch: one round trip on PostgreSQL. */
    public void updateAll() {
        try {
            int[] _ = statement.executeBatch();
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    public <T> List<T> list(RowReader<T> reader) {
        checkBound();
        try (var rows = prepared.query(sql.text())) {
            var found = new ArrayList<T>();
            var row = new Row(rows, prepared.columns(sql.text(), rows));
            while (rows.next()) found.add(reader.read(row));
            return found;
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Reads at most {@code max} rows, and stops early at {@link Bounds#PAGE_BYTES_MAX}. */
    public <T> Page<T> page(int max, RowReader<T> reader) {
        checkBound();
        try {
            // Without a fetch size, the PostgreSQL driver loads the whole result into memory.
            statement.setFetchSize(LARGE_ROWS_AT_ONCE);
            try (var rows = prepared.query(sql.text())) {
                var found = new ArrayList<T>();
                var row = new Row(rows, prepared.columns(sql.text(), rows));
                while (found.size() < max && rows.next()) {
                    if (row.chars() > Bounds.PAGE_BYTES_MAX) return new Page<>(found, true);
                    found.add(reader.read(row));
                }
                return new Page<>(found, false);
            }
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Passes each row to {@code each}; keeps only one fetch of rows in memory. */
    public <T> void walk(RowReader<T> reader, Consumer<T> each) {
        checkBound();
        try {
            // Without a fetch size, the PostgreSQL driver loads the whole result into memory.
            statement.setFetchSize(ROWS_AT_ONCE);
            try (var rows = prepared.query(sql.text())) {
                var row = new Row(rows, prepared.columns(sql.text(), rows));
                while (rows.next()) each.accept(reader.read(row));
            }
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    public <T> Optional<T> first(RowReader<T> reader) {
        var found = list(reader);
        return found.isEmpty() ? Optional.empty() : Optional.of(found.getFirst());
    }

    public long number() {
        return first(row -> row.number(1)).orElseThrow();
    }

    private interface Binding {
        void at(int index) throws SQLException;
    }

    private Call each(String name, Binding binding) {
        boolean found = false;
        try {
            for (int i = 0; i < sql.names().size(); i++) {
                if (!sql.names().get(i).equals(name)) continue;
                binding.at(i + 1);
                bound.set(i);
                found = true;
            }
        } catch (SQLException e) {
            throw failed(e);
        }
        if (!found)
            throw new IllegalArgumentException("no parameter " + name + " in " + sql.text());
        return this;
    }

    /** SQLite takes a parameter that is not set for null, PostgreSQL refuses it. */
    private void checkBound() {
        int missing = bound.nextClearBit(0);
        if (missing == sql.names().size()) return;
        throw new IllegalStateException(
                "parameter " + sql.names().get(missing) + " is not set in " + sql.text());
    }

    private StoreFailed failed(SQLException e) {
        prepared.drop(sql.text());
        return new StoreFailed(
                "executing: " + sql.text().strip().lines().findFirst().orElse(""), e);
    }
}
