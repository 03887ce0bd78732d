package dev.coppice.store;

import java.sql.Connection;
import java.sql.SQLException;

/** Where the two databases must be spoken to differently; each method says why. */
interface Dialect {
    /** The folder of its migrations. */
    String name();

    /** The next key of a session, known before the insert because the trail is made of it. */
    Sql nextSessionKey();

    /** Keeps a second coordinator from migrating at the same time, until the connection closes. */
    void holdMigrations(Connection connection) throws SQLException;
}
