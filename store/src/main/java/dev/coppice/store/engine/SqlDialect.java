package dev.coppice.store.engine;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The differences between the two databases; each method gives the reason. */
public interface SqlDialect {
    /** The suffix of its migration files. */
    String name();

    /** The next key of a session, needed before the insert because the trail contains it. */
    Sql nextSessionKey();

    /**
     * Prevents a second coordinator from migrating at the same time, until the connection closes.
     */
    void holdMigrations(Connection connection) throws SQLException;

    /** A query for the names of the indexes on events: each database has its own catalog. */
    String indexesOnEvents();

    /**
     * Statements that create triggers, which keep this column of events equal to that of their
     * session. PostgreSQL uses a function, which can change a row before it is stored.
     */
    List<String> follow(String column);

    /** The statements that undo {@link #follow}. */
    List<String> unfollow(String column);
}
