package dev.coppice.store.schema;

import dev.coppice.kernel.Topic;
import dev.coppice.store.engine.Database;
import dev.coppice.store.engine.Postgres;
import dev.coppice.store.engine.PostgresDatabase;
import dev.coppice.store.engine.SqlDialect;
import dev.coppice.store.engine.Sqlite;
import dev.coppice.store.engine.SqliteDatabase;
import dev.coppice.store.engine.StoreFailed;
import dev.coppice.thread.Loops;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Opens a database and migrates it to this version's schema. */
public final class Databases {
    private static final System.Logger LOG = System.getLogger("store");
    private static final int PAUSE_MILLIS = 500;

    /**
     * SQL states of a server that may still be starting: no connection, connection lost, starting
     * up.
     */
    private static final Set<String> STARTING = Set.of("08001", "08006", "57P03");

    private Databases() {}

    public static Database sqlite(Path file, InstantSource clock, Consumer<Topic> onCommit) {
        return sqlite(file, clock, onCommit, new Loops());
    }

    public static Database sqlite(
            Path file, InstantSource clock, Consumer<Topic> onCommit, Loops loops) {
        migrate("jdbc:sqlite:" + file, new Sqlite(), clock);
        return new SqliteDatabase(file, onCommit, loops);
    }

    public static Database postgres(
            String url, Duration patience, InstantSource clock, Consumer<Topic> onCommit) {
        return postgres(url, patience, clock, onCommit, new Loops());
    }

    /** Waits up to {@code patience} for a server that is starting or not started yet. */
    public static Database postgres(
            String url,
            Duration patience,
            InstantSource clock,
            Consumer<Topic> onCommit,
            Loops loops) {
        long until = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                migrate(url, new Postgres(), clock);
                return new PostgresDatabase(url, onCommit, loops);
            } catch (StoreFailed e) {
                if (!isStarting(e) || System.nanoTime() > until) throw e;
                LOG.log(System.Logger.Level.INFO, "waiting for the database: {0}", e.getMessage());
                pause();
            }
        }
    }

    private static boolean isStarting(StoreFailed failure) {
        return failure.getCause() instanceof SQLException sql
                && STARTING.contains(String.valueOf(sql.getSQLState()));
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailed("interrupted while waiting for the database", e);
        }
    }

    private static void migrate(String url, SqlDialect dialect, InstantSource clock) {
        try (var connection = DriverManager.getConnection(url)) {
            var migrations = new Migrations(dialect, clock);
            dialect.holdMigrations(connection);
            migrations.up(connection);
        } catch (SQLException e) {
            throw new StoreFailed("opening the database: " + e.getMessage(), e);
        }
    }
}
