package dev.coppice.store.engine;

import dev.coppice.thread.Threads;

import org.sqlite.SQLiteConnection;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Checks a database for damaged pages and indexes. Without the check, a page that was damaged on
 * the disk is noticed only when it is next read, which may be years later and after the last good
 * backup.
 */
public final class DamageCheck {
    private static final System.Logger LOG = System.getLogger("store");
    private static final int FLAWS_MAX = 20;

    /** The indexes of our tables; empty if the amcheck extension is not installed. */
    private static final String INDEXES =
            """
            select c.relname, c.oid from pg_class c join pg_am a on a.oid = c.relam
            join pg_namespace n on n.oid = c.relnamespace
            where c.relkind = 'i' and a.amname = 'btree' and n.nspname = current_schema()
            and exists (select 1 from pg_extension where extname = 'amcheck')
            order by c.relname
            """;

    private DamageCheck() {}

    public static List<String> sqlite(Path file, Duration budget) {
        var ended = new CountDownLatch(1);
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.execute("pragma query_only = on");
            Threads.virtual("damage-budget").start(() -> interrupt(connection, ended, budget));
            return quickCheck(statement);
        } catch (SQLException e) {
            // The check ran out of time, or the file cannot be opened.
            if (ended.getCount() > 0 && isInterrupt(e)) {
                LOG.log(System.Logger.Level.INFO, "the check took longer than {0}", budget);
                return List.of();
            }
            return List.of("reading failed: " + e.getMessage());
        } finally {
            ended.countDown();
        }
    }

    private static List<String> quickCheck(java.sql.Statement statement) throws SQLException {
        var found = new ArrayList<String>();
        try (var rows = statement.executeQuery("pragma quick_check(" + FLAWS_MAX + ")")) {
            while (rows.next()) found.add(rows.getString(1));
        }
        return found.equals(List.of("ok")) ? List.of() : List.copyOf(found);
    }

    private static boolean isInterrupt(SQLException e) {
        return String.valueOf(e.getMessage()).contains("SQLITE_INTERRUPT");
    }

    private static void interrupt(Connection connection, CountDownLatch ended, Duration budget) {
        try {
            boolean over = ended.await(budget.toMillis(), TimeUnit.MILLISECONDS);
            if (!over) connection.unwrap(SQLiteConnection.class).getDatabase().interrupt();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.DEBUG, "the check ended before it was interrupted", e);
        }
    }

    public static List<String> postgres(Connection connection, Duration budget)
            throws SQLException {
        var found = new ArrayList<String>();
        long until = System.nanoTime() + budget.toNanos();
        try (var indexes = connection.createStatement();
                var check =
                        connection.prepareStatement("select bt_index_check(cast(? as regclass))")) {
            indexes.execute("set local statement_timeout = " + budget.toMillis());
            try (var rows = indexes.executeQuery(INDEXES)) {
                while (rows.next() && System.nanoTime() < until) {
                    var savepoint = connection.setSavepoint();
                    try {
                        check.setLong(1, rows.getLong(2));
                        check.execute();
                    } catch (SQLException e) {
                        connection.rollback(savepoint);
                        found.add(rows.getString(1) + ": " + e.getMessage());
                    }
                }
            }
        }
        return List.copyOf(found);
    }
}
