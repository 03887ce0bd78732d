package dev.coppice.store;

import java.sql.SQLException;

/** The one connection that is written with; only the writer's thread uses it. */
interface WriteConnection {
    /** The statements of this connection; a new connection has new ones. */
    Prepared prepared();

    /** Begins a transaction beside which nobody else writes to this database. */
    void begin() throws SQLException;

    void commit() throws SQLException;

    /** Sets a savepoint, to which what is written from here on can be taken back alone. */
    default void mark() throws SQLException {
        prepared().execute("savepoint caller");
    }

    /** Replaces the savepoint by one at this point. */
    default void moveMark() throws SQLException {
        prepared().execute("release caller");
        mark();
    }

    /** Rolls back to the savepoint, which stays. */
    default void backToMark() throws SQLException {
        prepared().execute("rollback to caller");
    }

    /** Takes back the whole transaction, or throws if it is lost. */
    void undo() throws SQLException;

    /** Leaves nothing of the transaction under way, if one still is. */
    default void rollBack() {
        try {
            undo();
        } catch (SQLException _) {
            // A full disk or a lost connection has often taken it back already.
        }
    }

    /** Makes the smallest change that fails where other writes would. */
    void touch() throws SQLException;
}
