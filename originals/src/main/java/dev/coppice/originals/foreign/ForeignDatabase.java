package dev.coppice.originals.foreign;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a database of a predecessor, with whatever columns it has: an old or new coordinator's, the
 * observability servers', or a hook server's, which has events only. Never writes to it.
 */
public final class ForeignDatabase implements AutoCloseable {
    /** The columns of events from which sessions without a row follow. */
    private static final Set<String> SENT =
            Set.of("session_id", "source_app", "hook_event_type", "timestamp");

    private static final String SESSIONS_OF_EVENTS =
            """
            select e.session_id, min(e.source_app) as source_app, min(e.timestamp) as start_time,
                max(e.timestamp) as end_time, 'its events' as known_by,
                case when (
                    select x.hook_event_type from events x where x.session_id = e.session_id
                    order by x.timestamp desc, x.rowid desc limit 1)
                    in ('SessionEnd', 'Stop') then 'completed' else 'active' end as status
            from events e where e.session_id is not null and e.session_id <> ''
            group by e.session_id order by min(e.rowid)
            """;
    private static final String OTHER_TABLES =
            """
            select name from sqlite_master
            where type = 'table' and name not like 'sqlite_%' and sql not like 'create virtual %'
            order by name
            """;

    private static final String WITHOUT_SESSION =
            """
            select count(*) as told from %s t
            where not exists (select 1 from sessions s where s.session_id = t.session_id)
            """;
    private static final String WITHOUT_ID =
            "select count(*) as told from %s where session_id is null or session_id = ''";

    /** The tables whose rows are read. */
    private static final Set<String> READ =
            Set.of("sessions", "runs", "events", "session_relationships");

    private final Connection connection;
    private final Set<String> tables = new HashSet<>();
    private final Kind kind;

    /** The system that the schema belongs to. */
    public enum Kind {
        COORDINATOR,
        OBSERVABILITY,
        HOOK_SERVER
    }

    /** Receives the rows one by one, as values by lower-case column name. */
    public interface EachRow {
        void row(Map<String, @Nullable Object> row);
    }

    /** The file cannot be read, or its schema belongs to no known system. */
    public static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unreadable(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    public ForeignDatabase(Path file) {
        Connection opened = null;
        try {
            opened =
                    DriverManager.getConnection(
                            "jdbc:sqlite:file:" + file.toUri().getRawPath() + "?mode=ro");
            this.connection = opened;
            rows("select name from sqlite_master where type = 'table'", null, this::table);
            this.kind = whose();
        } catch (SQLException | Unreadable e) {
            close(opened);
            throw new Unreadable("%s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
    }

    private void table(Map<String, @Nullable Object> row) {
        tables.add(String.valueOf(row.get("name")).toLowerCase(Locale.ROOT));
    }

    private Kind whose() {
        var columns = columns("sessions");
        if (columns.contains("source_app")) return Kind.OBSERVABILITY;
        if (columns.contains("session_id")) return Kind.COORDINATOR;
        if (columns("events").containsAll(SENT)) return Kind.HOOK_SERVER;
        throw new Unreadable(
                "it has neither a table 'sessions' of the coordinator's or the observability"
                        + " servers', nor a table 'events' of a hook server's",
                null);
    }

    public Kind kind() {
        return kind;
    }

    /** The columns of a table; none if there is no such table. */
    private Set<String> columns(String table) {
        var found = new HashSet<String>();
        rows(
                "select name from pragma_table_info(?)",
                table,
                row -> found.add(String.valueOf(row.get("name")).toLowerCase(Locale.ROOT)));
        return found;
    }

    public void sessions(EachRow each) {
        if (!tables.contains("sessions")) return;
        rows("select * from sessions order by rowid", null, each);
    }

    /** Reads the sessions of sent events, also those that have a row. */
    public void sessionsOfEvents(EachRow each) {
        if (kind == Kind.COORDINATOR || !columns("events").containsAll(SENT)) return;
        rows(SESSIONS_OF_EVENTS, null, each);
    }

    /** The parent that another table names for the session. That parent need not exist. */
    public Optional<String> parentTold(String session) {
        if (tables.contains("session_relationships")) {
            var told =
                    first(
                            """
                            select parent_session_id as told from session_relationships
                            where child_session_id = ? and parent_session_id <> child_session_id
                            and (relationship_type is null
                                or relationship_type in ('parent/child', 'wave_member'))
                            order by rowid limit 1
                            """,
                            session);
            if (told.isPresent()) return told;
        }
        for (var table : new String[] {"runs", "events"}) {
            if (!tables.contains(table) || !columns(table).contains("parent_session_id")) continue;
            var told =
                    first(
                            "select parent_session_id as told from %s where session_id = ?"
                                            .formatted(table)
                                    + " and parent_session_id is not null and parent_session_id <>"
                                    + " '' and parent_session_id <> session_id"
                                    // The last row wins: it names the parent that started the
                                    // session last.
                                    + " order by rowid desc limit 1",
                            session);
            if (told.isPresent()) return told;
        }
        return Optional.empty();
    }

    /** The text of the last result of a session. */
    public Optional<String> resultOf(String session) {
        return lastResult("result_text", session);
    }

    /** The data of the last result of a session, as JSON. */
    public Optional<String> resultDataOf(String session) {
        return lastResult("result_data", session);
    }

    private Optional<String> lastResult(String column, String session) {
        return columns("events").contains(column)
                ? first(
                        """
                        select %1$s as told from events
                        where session_id = ? and event_type = 'result' and %1$s is not null
                        order by rowid desc limit 1
                        """
                                .formatted(column),
                        session)
                : Optional.empty();
    }

    public void runs(String session, EachRow each) {
        if (!tables.contains("runs")) return;
        rows("select * from runs where session_id = ? order by rowid", session, each);
    }

    public void events(String session, EachRow each) {
        if (!tables.contains("events")) return;
        rows("select * from events where session_id = ? order by rowid", session, each);
    }

    /** Reads the times of the events of a session, without their contents. */
    public void eventTimes(String session, EachRow each) {
        if (!columns("events").contains("timestamp")) return;
        rows("select timestamp from events where session_id = ?", session, each);
    }

    /** Reads every pair of related sessions. */
    public void pairs(EachRow each) {
        if (!tables.contains("session_relationships")) return;
        rows("select * from session_relationships order by rowid", null, each);
    }

    /** Returns the numbers of rows that the import does not read, by their tables. */
    public Map<String, Long> unreadRows() {
        Map<String, Long> unread = new LinkedHashMap<>();
        var without = kind == Kind.COORDINATOR ? WITHOUT_SESSION : WITHOUT_ID;
        for (var table : List.of("runs", "events")) {
            if (!columns(table).contains("session_id")) continue;
            unread.put(table, count(without.formatted(table)));
        }
        rows(
                OTHER_TABLES,
                null,
                row -> {
                    var table = String.valueOf(row.get("name"));
                    if (READ.contains(table.toLowerCase(Locale.ROOT))) return;
                    var quoted = table.replace("\"", "\"\"");
                    unread.put(table, count("select count(*) as told from \"" + quoted + "\""));
                });
        unread.values().removeIf(rows -> rows == 0);
        return unread;
    }

    private long count(String sql) {
        var found = new ArrayList<Long>();
        rows(
                sql,
                null,
                row -> {
                    if (row.get("told") instanceof Number rows) found.add(rows.longValue());
                });
        return found.getFirst();
    }

    private Optional<String> first(String sql, String about) {
        var found = new ArrayList<String>();
        rows(sql, about, row -> found.add(String.valueOf(row.get("told"))));
        return found.stream().findFirst();
    }

    private void rows(String sql, @Nullable String about, EachRow each) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            if (about != null) statement.setString(1, about);
            try (ResultSet rows = statement.executeQuery()) {
                var meta = rows.getMetaData();
                while (rows.next()) {
                    Map<String, @Nullable Object> row = new LinkedHashMap<>();
                    for (int i = 1; i <= meta.getColumnCount(); i++) {
                        row.put(meta.getColumnLabel(i).toLowerCase(Locale.ROOT), rows.getObject(i));
                    }
                    each.row(row);
                }
            }
        } catch (SQLException e) {
            throw new Unreadable(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        close(connection);
    }

    private static void close(@Nullable Connection connection) {
        try {
            if (connection != null) connection.close();
        } catch (SQLException e) {
            System.getLogger("import").log(System.Logger.Level.DEBUG, "closing", e);
        }
    }
}
