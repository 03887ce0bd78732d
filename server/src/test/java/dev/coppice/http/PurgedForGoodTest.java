package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Searches every byte of the coordinator's files for text that was purged. */
class PurgedForGoodTest {
    private static final String MARKER = "marker-of-what-was-said-7c1f";

    @Test
    void no_file_contains_the_events_of_a_session_after_its_purge() throws IOException {
        Path directory;
        try (var server = new Caller()) {
            directory = server.directory();
            var session = Json.object().put("session_id", "top").put("session_name", "top");
            server.post("/sessions", session.toString());
            var event = Json.object().put("event_type", "note");
            event.putObject("data").put("text", MARKER);
            for (int i = 0; i < 50; i++) server.post("/sessions/top/events", event.toString());
            server.post("/sessions/top/stop", "{}");
            assertThat(holding(directory)).isNotEmpty();
            var choices = "{\"purge\":\"now\",\"backup\":\"no\"}";
            server.post("/sessions/top/removal?wait=20s", choices);
            assertThat(server.client().get("/sessions/top").status()).isEqualTo(410);
            // The coordinator moves the log into the database when it has nothing to write.
            Eventually.await(
                    () -> holding(directory).isEmpty(), () -> holding(directory).toString());
        }
        assertThat(holding(directory)).isEmpty();
    }

    private static List<String> holding(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile)
                    .filter(PurgedForGoodTest::holds)
                    .map(f -> directory.relativize(f).toString())
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static boolean holds(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                    .contains(MARKER);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
