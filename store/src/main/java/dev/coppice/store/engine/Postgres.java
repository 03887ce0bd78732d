package dev.coppice.store.engine;

import java.sql.Connection;
import java.sql.SQLException;

/** One server for any number of coordinators. */
public final class Postgres implements Dialect {
    /** The first of Coppice's advisory lock numbers: the writer's. The migrations' lock follows. */
    static final long LOCKS = 0x636f7070696365L;

    private static final long MIGRATION_LOCK = LOCKS + 1;

    private static final Sql NEXT_SESSION_KEY =
            Sql.of(
                    """
                    select nextval(pg_get_serial_sequence('any_session', 'key'))
                    """);

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public Sql nextSessionKey() {
        return NEXT_SESSION_KEY;
    }

    @Override
    public void holdMigrations(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement("select pg_advisory_lock(?)")) {
            statement.setLong(1, MIGRATION_LOCK);
            statement.execute();
        }
    }
}
