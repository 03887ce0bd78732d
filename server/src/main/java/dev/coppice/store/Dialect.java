package dev.coppice.store;

import java.sql.Connection;
import java.sql.SQLException;

/** Where the two databases must be spoken to differently; each method says why. */
interface Dialect {
    /** The folder of its migrations. */
    String name();

    /** The next key of a session, known before the insert because the trail is made of it. */
    Sql nextSessionKey();

    /** What a statement that reads one row in order to change it ends with. */
    String heldUntilCommit(String table);

    /** Holds the tree's row, so that counts stay true; a single writer needs no lock. */
    void lockTree(long tree);

    /** Whether others write to it at the same time. */
    boolean isShared();

    /** Called before numbers are given, so that they become visible in order. */
    void lockJournal();

    /** Called before a record is appended, so that each follows the one before it. */
    void lockAudit();

    /** Keeps a second coordinator from migrating at the same time, until the connection closes. */
    void holdMigrations(Connection connection) throws SQLException;

    /** The class of statement failure that means "try the whole transaction again". */
    boolean isWorthRetrying(Throwable failure);
}
