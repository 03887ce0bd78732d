package dev.coppice.store;

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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a database of a predecessor, with whatever columns it has: an old or new coordinator's, or
 * the observability servers'. Never writes to it.
 */
public final class ForeignDatabase implements AutoCloseable {
    private final Connection connection;
    private final Set<String> tables = new HashSet<>();
    private final Kind kind;

    /** The system that the schema belongs to. */
    public enum Kind {
        COORDINATOR,
        OBSERVABILITY
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
        var columns = tables.contains("sessions") ? columns("sessions") : Set.<String>of();
        if (columns.contains("source_app")) return Kind.OBSERVABILITY;
        if (columns.contains("session_id")) return Kind.COORDINATOR;
        throw new Unreadable(
                "it has no table 'sessions' of the coordinator's or the observability servers'",
                null);
    }

    public Kind kind() {
        return kind;
    }

    private Set<String> columns(String table) {
        var found = new HashSet<String>();
        rows(
                "select name from pragma_table_info(?)",
                table,
                row -> found.add(String.valueOf(row.get("name")).toLowerCase(Locale.ROOT)));
        return found;
    }

    public void sessions(EachRow each) {
        rows("select * from sessions order by rowid", null, each);
    }

    /** The parent that another table names for the session. That parent need not exist. */
    public Optional<String> parentTold(String session) {
        if (tables.contains("session_relationships")) {
            var told =
                    first(
                            """
                            select parent_session_id as told from session_relationships
                            where child_session_id = ? and (relationship_type is null
                                or relationship_type = 'parent/child') order by id limit 1
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

    /** The last result of a session. */
    public Optional<String> resultOf(String session) {
        boolean has = tables.contains("events") && columns("events").contains("result_text");
        return has
                ? first(
                        """
                        select result_text as told from events
                        where session_id = ? and event_type = 'result' and result_text is not null
                        order by rowid desc limit 1
                        """,
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

    /** Reads every relationship whose child is this session. */
    public void relationships(String session, EachRow each) {
        if (!tables.contains("session_relationships")) return;
        rows(
                "select * from session_relationships where child_session_id = ? order by id",
                session,
                each);
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
