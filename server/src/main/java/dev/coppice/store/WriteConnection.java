package dev.coppice.store;

import java.sql.SQLException;

/** The one connection that is written with; only the writer's thread uses it. */
interface WriteConnection extends AutoCloseable {
    /** Those of the transaction under way. */
    Prepared prepared();

    /** Begins a transaction beside which nobody else writes to this database. */
    void begin() throws SQLException;

    void commit() throws SQLException;

    /** What is written from here on can be taken back alone. */
    default void mark() throws SQLException {
        prepared().execute("savepoint caller");
    }

    /** Gives up the mark for one here. */
    default void moveMark() throws SQLException {
        prepared().execute("release caller");
        mark();
    }

    /** Takes back what was written since the mark, which stays. */
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

    /** Changes as little as can be changed, but needs all that a write needs. */
    void touch() throws SQLException;

    @Override
    void close();
}
