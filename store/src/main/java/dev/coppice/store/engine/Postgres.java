package dev.coppice.store.engine;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** PostgreSQL serves any number of coordinators. */
public final class Postgres implements SqlDialect {
    /** The first of Coppice's advisory lock numbers: the writer's. The migrations' lock follows. */
    static final long LOCKS = 0x636f7070696365L;

    private static final long MIGRATION_LOCK = LOCKS + 1;

    private static final Sql NEXT_SESSION_KEY =
            Sql.of(
                    """
                    select nextval(pg_get_serial_sequence('any_session', 'key'))
                    """);

    private static final String INDEXES_ON_EVENTS =
            """
            select indexname from pg_indexes
            where schemaname = current_schema() and tablename = 'event'
            """;
    private static final List<String> FOLLOW =
            List.of(
                    """
                    create function event_COLUMN_born() returns trigger language plpgsql as $$
                    begin
                        new.COLUMN := (
                            select s.COLUMN from any_session s where s.key = new.session);
                        return new; end $$
                    """,
                    """
                    create trigger event_COLUMN_born before insert on event for each row
                    execute function event_COLUMN_born()
                    """,
                    """
                    create function event_COLUMN_moved() returns trigger language plpgsql as $$
                    begin
                        update event set COLUMN = new.COLUMN where session_id = new.id;
                        return null; end $$
                    """,
                    """
                    create trigger event_COLUMN_moved after update on any_session for each row
                    when (new.COLUMN is distinct from old.COLUMN)
                    execute function event_COLUMN_moved()
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

    @Override
    public String indexesOnEvents() {
        return INDEXES_ON_EVENTS;
    }

    @Override
    public List<String> follow(String column) {
        return FOLLOW.stream().map(sql -> sql.replace("COLUMN", column)).toList();
    }

    /** Dropping a function also drops the triggers that run it. */
    @Override
    public List<String> unfollow(String column) {
        return Stream.of(
                        "drop function event_COLUMN_born() cascade",
                        "drop function event_COLUMN_moved() cascade")
                .map(sql -> sql.replace("COLUMN", column))
                .toList();
    }
}
