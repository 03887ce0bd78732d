package dev.coppice.store.engine;

import java.sql.Connection;
import java.sql.SQLException;

/** The one connection for writes; only the writer's thread uses it. */
public interface WriteConnection {
    /** The prepared statements of the current connection. */
    Prepared prepared();

    /** Begins a transaction and excludes every other writer of this database. */
    void begin() throws SQLException;

    void commit() throws SQLException;

    /** Sets a savepoint. */
    default void mark() throws SQLException {
        prepared().execute("savepoint caller");
    }

    /** Moves the savepoint to this point. */
    default void moveMark() throws SQLException {
        prepared().execute("release caller");
        mark();
    }

    /** Rolls back to the savepoint and keeps it. */
    default void backToMark() throws SQLException {
        prepared().execute("rollback to caller");
    }

    /** Rolls back the whole transaction, or throws if it is lost. */
    void undo() throws SQLException;

    /** Rolls back the current transaction, if there is one. Never throws. */
    default void rollBack() {
        try {
            undo();
        } catch (SQLException | RuntimeException _) {
            // A full disk or a lost connection has often rolled it back already. Whatever a driver
            // throws, the callers of the batch wait for its outcome.
        }
    }

    /** Makes the smallest change that fails when other writes would. */
    void touch() throws SQLException;

    /** Closes a connection that is no longer used; a failure changes nothing. */
    static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            System.getLogger("store").log(System.Logger.Level.WARNING, "closing a connection", e);
        }
    }
}
