package dev.coppice.store;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** One row of a result, read by column name. */
final class Row {
    private final ResultSet rows;
    private @Nullable List<String> names;
    private long chars;

    Row(ResultSet rows) {
        this.rows = rows;
    }

    /** The columns of the result, in order. */
    List<String> names() throws SQLException {
        if (names == null) {
            var meta = rows.getMetaData();
            var all = new ArrayList<String>();
            for (int i = 1; i <= meta.getColumnCount(); i++) all.add(meta.getColumnLabel(i));
            names = List.copyOf(all);
        }
        return names;
    }

    /** The value as text or whole number; the first column is 1. */
    @Nullable Object value(int column) throws SQLException {
        var value = rows.getObject(column);
        return value instanceof Number number ? (Object) number.longValue() : value;
    }

    String text(String column) throws SQLException {
        var value = textOrNull(column);
        if (value == null) throw new IllegalStateException(column + " is null");
        return value;
    }

    @Nullable String textOrNull(String column) throws SQLException {
        var value = rows.getString(column);
        if (value != null) chars += value.length();
        return value;
    }

    /** The characters of text read so far, over all rows. */
    long chars() {
        return chars;
    }

    String text(int column) throws SQLException {
        var value = rows.getString(column);
        if (value == null) throw new IllegalStateException("column " + column + " is null");
        return value;
    }

    boolean flag(String column) throws SQLException {
        return rows.getBoolean(column);
    }

    int integer(String column) throws SQLException {
        return rows.getInt(column);
    }

    @Nullable Integer integerOrNull(String column) throws SQLException {
        int value = rows.getInt(column);
        return rows.wasNull() ? null : value;
    }

    long number(String column) throws SQLException {
        return rows.getLong(column);
    }

    long number(int column) throws SQLException {
        return rows.getLong(column);
    }

    @Nullable Long numberOrNull(String column) throws SQLException {
        long value = rows.getLong(column);
        return rows.wasNull() ? null : value;
    }

    Instant instant(String column) throws SQLException {
        return Instant.ofEpochMilli(rows.getLong(column));
    }

    @Nullable Instant instantOrNull(String column) throws SQLException {
        long value = rows.getLong(column);
        return rows.wasNull() ? null : Instant.ofEpochMilli(value);
    }
}
