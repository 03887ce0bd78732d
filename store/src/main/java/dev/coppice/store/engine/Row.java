package dev.coppice.store.engine;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One row of a result, read by column name. */
public final class Row {
    private final ResultSet rows;
    private final Map<String, Integer> columns;
    private @Nullable List<String> names;
    private long chars;

    Row(ResultSet rows, Map<String, Integer> columns) {
        this.rows = rows;
        this.columns = columns;
    }

    private int at(String column) {
        var number = columns.get(column);
        if (number == null) throw new IllegalArgumentException("no column " + column);
        return number;
    }

    /** The columns of the result, in order. */
    public List<String> names() throws SQLException {
        if (names == null) {
            var meta = rows.getMetaData();
            var all = new ArrayList<String>();
            for (int i = 1; i <= meta.getColumnCount(); i++) all.add(meta.getColumnLabel(i));
            names = List.copyOf(all);
        }
        return names;
    }

    /** The value as text or whole number; columns count from 1. */
    public @Nullable Object value(int column) throws SQLException {
        var value = rows.getObject(column);
        return value instanceof Number number ? (Object) number.longValue() : value;
    }

    public String text(String column) throws SQLException {
        var value = textOrNull(column);
        if (value == null) throw new IllegalStateException(column + " is null");
        return value;
    }

    public @Nullable String textOrNull(String column) throws SQLException {
        var value = rows.getString(at(column));
        if (value != null) chars += value.length();
        return value;
    }

    /** The characters of text read so far, over all rows. */
    public long chars() {
        return chars;
    }

    public String text(int column) throws SQLException {
        var value = rows.getString(column);
        if (value == null) throw new IllegalStateException("column " + column + " is null");
        return value;
    }

    public <E extends Enum<E>> E constant(Class<E> type, String column) throws SQLException {
        return Enum.valueOf(type, text(column).toUpperCase(Locale.ROOT));
    }

    public boolean flag(String column) throws SQLException {
        return rows.getBoolean(at(column));
    }

    public int integer(String column) throws SQLException {
        return rows.getInt(at(column));
    }

    @Nullable Integer integerOrNull(String column) throws SQLException {
        int value = rows.getInt(at(column));
        return rows.wasNull() ? null : value;
    }

    public long number(String column) throws SQLException {
        return rows.getLong(at(column));
    }

    public long number(int column) throws SQLException {
        return rows.getLong(column);
    }

    public @Nullable Long numberOrNull(String column) throws SQLException {
        long value = rows.getLong(at(column));
        return rows.wasNull() ? null : value;
    }

    public Instant instant(String column) throws SQLException {
        return Instant.ofEpochMilli(rows.getLong(at(column)));
    }

    public @Nullable Instant instantOrNull(String column) throws SQLException {
        long value = rows.getLong(at(column));
        return rows.wasNull() ? null : Instant.ofEpochMilli(value);
    }
}
