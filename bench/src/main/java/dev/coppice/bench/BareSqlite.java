package dev.coppice.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The same rows at the same durability, written by one thread straight into SQLite, as many to a
 * commit as there are clients. It is what the disk and the library allow, with nothing around it.
 */
final class BareSqlite implements AutoCloseable {
    private final Connection connection;
    private final PreparedStatement session;
    private final PreparedStatement event;

    BareSqlite() throws IOException, SQLException {
        var file = Files.createTempDirectory("coppice-bare").resolve("bare.db");
        connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (var statement = connection.createStatement()) {
            statement.execute("pragma journal_mode = wal");
            statement.execute("pragma synchronous = full");
            statement.execute("pragma foreign_keys = on");
            statement.execute(
                    """
                    create table session (
                        key integer primary key autoincrement, id text unique, name text unique,
                        parent integer references session (key), trail text unique, depth integer,
                        state text, created_at integer, metadata text)
                    """);
            statement.execute("create index session_state on session (state, key)");
            statement.execute(
                    """
                    create table event (
                        number integer primary key autoincrement,
                        session integer references session (key), type text, at integer, body text)
                    """);
            statement.execute("create index event_session on event (session, number)");
        }
        connection.setAutoCommit(false);
        session =
                connection.prepareStatement(
                        "insert into session values (null, ?, ?, null, ?, 0, 'pending', ?, '{}')");
        event = connection.prepareStatement("insert into event values (null, ?, ?, ?, ?)");
    }

    /** A session and the entry that says it was created, as one creation writes them. */
    double sessionsPerSecond(int total, int perCommit) throws SQLException {
        long from = System.nanoTime();
        for (int i = 0; i < total; i++) {
            session.setString(1, "ses_bare%08d_%d".formatted(i, perCommit));
            session.setString(2, "bare-%08d-%d".formatted(i, perCommit));
            session.setString(3, "E%08d_%d".formatted(i, perCommit));
            session.setLong(4, i);
            session.executeUpdate();
            tell(1, BODY);
            if ((i + 1) % perCommit == 0) connection.commit();
        }
        connection.commit();
        return total / ((System.nanoTime() - from) / 1e9);
    }

    double eventsPerSecond(int total, int perCommit) throws SQLException {
        long from = System.nanoTime();
        for (int i = 0; i < total; i++) {
            tell(1, BODY);
            if ((i + 1) % perCommit == 0) connection.commit();
        }
        connection.commit();
        return total / ((System.nanoTime() - from) / 1e9);
    }

    private static final String BODY =
            "{\"event_type\":\"message\",\"role\":\"assistant\",\"text\":\""
                    + "x".repeat(160)
                    + "\"}";

    private void tell(long of, String body) throws SQLException {
        event.setLong(1, of);
        event.setString(2, "*message");
        event.setLong(3, 1);
        event.setString(4, body);
        event.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
