package dev.coppice.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.scene.Temporary;

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

    private Settings settings(int port, Map<String, String> more) {
        var environment = new HashMap<>(more);
        environment.put("COPPICE_DATA", data.toString());
        environment.put("COPPICE_PORT", Integer.toString(port));
        return new SettingsReader(environment).read();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
