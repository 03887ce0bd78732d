package dev.coppice.store.engine;

import java.sql.Connection;
import java.sql.PreparedStatement;
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
        var failed = statements.remove(text);
        if (failed == null) return;
        try {
            failed.close();
        } catch (SQLException _) {
            // Closing reports the failure that the statement already reported.
        }
    }
}
