package dev.coppice.store.engine;

import org.sqlite.core.CoreResultSet;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * The statements that one connection has prepared. Their number is bounded: statements are
 * constants.
 */
final class Prepared {
    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    /** SQLite's driver has one result object for each statement. */
    private final Map<String, CoreResultSet> results = new HashMap<>();

    private final Map<String, String[]> names = new HashMap<>();

    /** The columns of results by name, because drivers look each name up again in each row. */
    private final Map<String, Map<String, Integer>> columns = new HashMap<>();

    Prepared(Connection connection) {
        this.connection = connection;
    }

    PreparedStatement of(String text) throws SQLException {
        var ready = statements.get(text);
        if (ready == null) {
            ready = connection.prepareStatement(text);
            statements.put(text, ready);
        }
        return ready;
    }

    /**
     * Runs a query. SQLite's driver reads the names of all columns again each time, which takes
     * longer than most of our queries, unless its result has them already.
     */
    ResultSet query(String text) throws SQLException {
        var statement = of(text);
        var result = results.get(text);
        if (result == null) {
            var rows = statement.executeQuery();
            if (rows instanceof CoreResultSet first) {
                results.put(text, first);
                names.put(text, first.colsMeta);
            }
            return rows;
        }
        statement.execute();
        result.colsMeta = names.get(text);
        return statement.getResultSet();
    }

    /** Returns the numbers of the columns that this statement reads. */
    Map<String, Integer> columns(String text, ResultSet rows) throws SQLException {
        var known = columns.get(text);
        if (known == null) {
            var meta = rows.getMetaData();
            known = new HashMap<>();
            for (int i = 1; i <= meta.getColumnCount(); i++) {
                known.putIfAbsent(meta.getColumnLabel(i), i);
            }
            columns.put(text, known);
        }
        return known;
    }

    void execute(String text) throws SQLException {
        try {
            of(text).execute();
        } catch (SQLException e) {
            drop(text);
            throw e;
        }
    }

    /** Closes a statement that failed, as it may be unusable: the next use prepares it again. */
    void drop(String text) {
        columns.remove(text);
        results.remove(text);
        var failed = statements.remove(text);
        if (failed == null) return;
        try {
            failed.close();
        } catch (SQLException _) {
            // Closing reports the failure that the statement already reported.
        }
    }
}
