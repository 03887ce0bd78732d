package dev.coppice.bench;

import dev.coppice.kernel.Ids;
import dev.coppice.scene.Temporary;
import dev.coppice.store.schema.Databases;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes the same rows at the same durability from one thread straight into SQLite, with as many
 * rows per commit as there are clients. This is the limit that the disk and the library set.
 */
final class BareSqlite implements AutoCloseable {
    private final Connection connection;
    private final PreparedStatement session;
    private final PreparedStatement event;
    private final Ids ids = Ids.from(new Random(1));
    private final List<String> made = new ArrayList<>();
    private long last;

    BareSqlite() throws SQLException {
        var file = Temporary.directory("coppice-bare").resolve("bare.db");
        // The product's own tables and indexes, so that the writes are the same.
        Databases.sqlite(file, InstantSource.system(), _ -> {}).close();
        connection =
                DriverManager.getConnection(
                        "jdbc:sqlite:" + file + "?jdbc.get_generated_keys=false");
        try (var statement = connection.createStatement()) {
            statement.execute("pragma journal_mode = wal");
            statement.execute("pragma synchronous = full");
            statement.execute("pragma foreign_keys = on");
        }
        connection.setAutoCommit(false);
        session = connection.prepareStatement(SESSION);
        event = connection.prepareStatement(EVENT);
    }

    private static final String SESSION =
            """
            insert into any_session (
                key, id, name, type, root, tree, trail, depth, path, state, since, created_at,
                metadata, on_parent_end)
            values (?, ?, ?, 'main', ?, ?, ?, 0, ?, 'pending', ?, ?, '{}', 'keep')
            """;
    private static final String EVENT =
            """
            insert into event (session, tree, type, at, body, session_id)
            values (?, ?, ?, ?, ?, ?)
            """;

    /** Writes a session and its creation event per insert, as the product does. */
    double sessionsPerSecond(int total, int perCommit) throws SQLException {
        long from = System.nanoTime();
        for (int i = 0; i < total; i++) {
            last++;
            var id = ids.twelveHex();
            session.setLong(1, last);
            made.add("ses_" + id);
            session.setString(2, made.getLast());
            session.setString(3, "session-" + id);
            session.setLong(4, last);
            session.setLong(5, last);
            session.setString(6, "E" + Long.toString(last, 32));
            session.setString(7, "session-" + id);
            session.setLong(8, i);
            session.setLong(9, i);
            session.executeUpdate();
            append(last, CREATED);
            if ((i + 1) % perCommit == 0) connection.commit();
        }
        connection.commit();
        return total / ((System.nanoTime() - from) / 1e9);
    }

    double eventsPerSecond(int total, int perCommit) throws SQLException {
        long from = System.nanoTime();
        for (int i = 0; i < total; i++) {
            append(1 + i % last, BODY);
            if ((i + 1) % perCommit == 0) connection.commit();
        }
        connection.commit();
        return total / ((System.nanoTime() - from) / 1e9);
    }

    private static final String BODY =
            "{\"event_type\":\"message\",\"role\":\"assistant\",\"text\":\""
                    + "x".repeat(160)
                    + "\"}";

    /** As long as the creation event of a session. */
    private static final String CREATED = BODY + "x".repeat(250);

    private void append(long of, String body) throws SQLException {
        event.setLong(1, of);
        event.setLong(2, of);
        event.setString(3, "*message");
        event.setLong(4, 1);
        event.setString(5, body);
        event.setString(6, made.get((int) of - 1));
        event.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
