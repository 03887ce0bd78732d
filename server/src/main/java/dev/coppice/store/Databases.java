package dev.coppice.store;

import dev.coppice.kernel.Topic;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.function.Consumer;

/** Opens a database at its address, brought to this version's shape first. */
public final class Databases {
    private Databases() {}

    public static Database sqlite(Path file, InstantSource clock, Consumer<Topic> onCommit) {
        migrate("jdbc:sqlite:" + file, new Sqlite(), clock);
        return new SqliteDatabase(file, onCommit);
    }

    public static Database postgres(String url, InstantSource clock, Consumer<Topic> onCommit) {
        migrate(url, new Postgres(), clock);
        return new PostgresDatabase(url, onCommit);
    }

    private static void migrate(String url, Dialect dialect, InstantSource clock) {
        try (var connection = DriverManager.getConnection(url)) {
            var migrations = new Migrations(dialect, clock);
            dialect.holdMigrations(connection);
            migrations.up(connection);
        } catch (SQLException e) {
            throw new StoreFailed("opening the database: " + e.getMessage(), e);
        }
    }
}
