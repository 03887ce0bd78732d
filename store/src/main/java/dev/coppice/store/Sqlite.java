package dev.coppice.store;

import java.sql.Connection;

/** One writer at a time: what it reads stays true until it commits, and nothing needs locking. */
final class Sqlite implements Dialect {
    private static final Sql NEXT_SESSION_KEY =
            Sql.of(
                    """
                    select coalesce((
                        select seq from sqlite_sequence where name = 'any_session'), 0) + 1
                    """);

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public Sql nextSessionKey() {
        return NEXT_SESSION_KEY;
    }

    /** The data directory is locked by the one process that uses it. */
    @Override
    public void holdMigrations(Connection connection) {}
}
