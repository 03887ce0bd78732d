package dev.coppice.store.engine;

import java.sql.Connection;
import java.sql.SQLException;

/** The differences between the two databases; each method gives the reason. */
public interface Dialect {
    /** The suffix of its migration files. */
    String name();

    /** The next key of a session, needed before the insert because the trail contains it. */
    Sql nextSessionKey();

    /**
     * Prevents a second coordinator from migrating at the same time, until the connection closes.
     */
    void holdMigrations(Connection connection) throws SQLException;
}
