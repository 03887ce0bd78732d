package dev.coppice.store.engine;

import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;

/** SQLite has one writer: rows that it has read do not change before it commits. */
public final class Sqlite implements SqlDialect {
    static {
        DriverLibrary.use();
    }

    private static final Sql NEXT_SESSION_KEY =
            Sql.of(
                    """
                    select coalesce((
                        select seq from sqlite_sequence where name = 'any_session'), 0) + 1
                    """);

    private static final String INDEXES_ON_EVENTS =
            "select name from sqlite_schema where type = 'index' and tbl_name = 'event'";
    private static final String FOLLOW_NEW =
            """
            create trigger event_COLUMN_born after insert on event
            when new.session is not null begin
                update event set COLUMN = (
                    select s.COLUMN from any_session s where s.key = new.session)
                where number = new.number; end
            """;
    private static final String FOLLOW_MOVED =
            """
            create trigger event_COLUMN_moved after update of COLUMN on any_session
            when new.COLUMN is not old.COLUMN begin
                update event set COLUMN = new.COLUMN where session_id = new.id; end
            """;

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

    @Override
    public String indexesOnEvents() {
        return INDEXES_ON_EVENTS;
    }

    @Override
    public List<String> follow(String column) {
        return Stream.of(FOLLOW_NEW, FOLLOW_MOVED)
                .map(sql -> sql.replace("COLUMN", column))
                .toList();
    }

    @Override
    public List<String> unfollow(String column) {
        return Stream.of("drop trigger event_COLUMN_born", "drop trigger event_COLUMN_moved")
                .map(sql -> sql.replace("COLUMN", column))
                .toList();
    }
}
