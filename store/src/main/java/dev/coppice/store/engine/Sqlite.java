package dev.coppice.store.engine;

import java.sql.Connection;

/** One writer at a time: rows it has read do not change before it commits, so it needs no locks. */
public final class Sqlite implements Dialect {
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

    /** Does nothing: the process already holds the lock on the data directory. */
    @Override
    public void holdMigrations(Connection connection) {}
}
