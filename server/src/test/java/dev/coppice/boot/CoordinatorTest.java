package dev.coppice.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.scene.Temporary;
import dev.coppice.store.Stores;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A start that fails leaves nothing open, and nothing changed. */
class CoordinatorTest {
    private final Path data = Temporary.directory("coppice-start");

    @Test
    void a_start_beside_another_coordinator_releases_its_port() throws IOException {
        int port = freePort();
        try (var _ = Coordinator.start(settings(0, Map.of()))) {
            assertThatThrownBy(() -> Coordinator.start(settings(port, Map.of())))
                    .hasMessageContaining("another coordinator already uses the data directory");
        }
        try (var second = Coordinator.start(settings(port, Map.of()))) {
            assertThat(second.url()).endsWith(":" + port);
        }
    }

    @Test
    void a_start_without_its_database_keeps_the_sign_of_a_crash() throws IOException {
        Files.writeString(data.resolve("url"), "http://127.0.0.1:1\n");
        var noDatabase =
                Map.of(
                        "COPPICE_DB",
                        "jdbc:postgresql://127.0.0.1:%d/x".formatted(freePort()),
                        "COPPICE_DB_WAIT",
                        "1ms");
        assertThatThrownBy(() -> Coordinator.start(settings(0, noDatabase)))
                .hasMessageContaining("opening the database");
        assertThat(data.resolve("url")).exists();
        try (var coordinator = Coordinator.start(settings(0, Map.of()))) {
            assertThat(Files.readString(data.resolve("url"))).contains(coordinator.url());
        }
        assertThat(data.resolve("url")).doesNotExist();
    }

    /** Its fsck would miss the files of the other, and find files that nothing refers to. */
    @Test
    void a_second_coordinator_of_a_database_needs_the_same_directory_of_backups()
            throws IOException {
        var database = Map.of("COPPICE_DB", Stores.url());
        var beside = new HashMap<>(database);
        beside.put("COPPICE_DATA", Temporary.directory("coppice-beside").toString());
        try (var _ = Coordinator.start(settings(0, database))) {
            var marker = data.resolve("backups/.coppice-backups");
            assertThatThrownBy(() -> Coordinator.start(settings(0, beside)))
                    .isInstanceOf(DataDirectory.Unusable.class)
                    .hasMessageContaining("is not the directory of backups of this database")
                    .hasMessageContaining(Files.readString(marker).strip())
                    .hasMessageContaining("set COPPICE_BACKUPS");
            beside.put("COPPICE_BACKUPS", data.resolve("backups").toString());
            Coordinator.start(settings(0, beside)).close();
        }
        Coordinator.start(settings(0, database)).close();
    }

    @Test
    void a_directory_of_backups_that_was_moved_keeps_its_database() throws IOException {
        var database = new HashMap<>(Map.of("COPPICE_DB", Stores.url()));
        Coordinator.start(settings(0, database)).close();
        var moved = Temporary.directory("coppice-moved").resolve("backups");
        Files.move(data.resolve("backups"), moved);
        database.put("COPPICE_BACKUPS", moved.toString());
        Coordinator.start(settings(0, database)).close();
    }

    private Settings settings(int port, Map<String, String> more) {
        var environment = new HashMap<>(more);
        environment.putIfAbsent("COPPICE_DATA", data.toString());
        environment.put("COPPICE_PORT", Integer.toString(port));
        return new SettingsReader(environment).read();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
