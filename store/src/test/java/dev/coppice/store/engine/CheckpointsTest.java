package dev.coppice.store.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.store.Given;
import dev.coppice.store.SqlStore;
import dev.coppice.store.schema.Databases;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;

/** Committed pages get from the log into the database file while the coordinator runs. */
class CheckpointsTest {
    private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();

    @TempDir Path data;

    @Test
    void checkpoints_copy_the_log_before_the_writer_has_to() throws Exception {
        var file = data.resolve("coppice.db");
        try (var database = Databases.sqlite(file, InstantSource.system(), _ -> {})) {
            var store = SqlStore.on(database);
            long until = System.nanoTime() + PATIENCE_NANOS;
            int made = 0;
            // Reads a copy of the file without the log beside it.
            while (sessionsIn(file) == 0 && System.nanoTime() < until) {
                for (int i = 0; i < 40; i++) {
                    var session = Given.root("s" + made++);
                    database.write(() -> {
                        store.sessions().add(session);
                        return session;
                    });
                }
            }
            assertThat(sessionsIn(file)).isPositive();
            var log = Files.size(data.resolve("coppice.db-wal"));
            assertThat(log).isLessThan(SqliteCheckpoints.LOG_PAGES * 4096L);
        }
    }

    private long sessionsIn(Path file) throws Exception {
        var alone = data.resolve("alone.db");
        Files.copy(file, alone, StandardCopyOption.REPLACE_EXISTING);
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + alone);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select count(*) from any_session")) {
            return rows.next() ? rows.getLong(1) : 0;
        } catch (SQLException e) {
            // The file was copied during a write, or before the table existed.
            return 0;
        }
    }
}
