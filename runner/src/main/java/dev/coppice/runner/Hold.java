package dev.coppice.runner;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A run in this runner's hands, written down before its process starts and struck out when its end
 * has been told: what a runner that was killed finds when it starts anew.
 */
record Hold(String runId, String sessionId, long fence, long outputMax) {
    private static final String FILE = "held.json";

    void write(Path directory) {
        var note =
                Json.object()
                        .put("run_id", runId)
                        .put("session_id", sessionId)
                        .put("fence", fence)
                        .put("output_max", outputMax);
        try {
            var part = directory.resolve(FILE + ".part");
            Files.writeString(part, note.toString());
            Files.move(part, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("writing down run " + runId, e);
        }
    }

    static void strikeOut(Path directory) {
        try {
            Files.deleteIfExists(directory.resolve(FILE));
        } catch (IOException e) {
            throw new UncheckedIOException("striking out " + directory, e);
        }
    }

    /** What is written down there; nothing when no runner holds the run. */
    static Optional<Hold> at(Path directory) {
        var file = directory.resolve(FILE);
        if (!Files.exists(file)) return Optional.empty();
        try {
            JsonNode note = Json.read(Files.readString(file));
            return Optional.of(
                    new Hold(
                            String.valueOf(Json.text(note, "run_id")),
                            String.valueOf(Json.text(note, "session_id")),
                            note.get("fence").asLong(),
                            note.path("output_max").asLong(Long.MAX_VALUE)));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    /** Every run of an earlier life whose end nobody has been told. */
    static List<Hold> all(Path runs) {
        var found = new ArrayList<Hold>();
        if (!Files.isDirectory(runs)) return found;
        try (Stream<Path> directories = Files.list(runs)) {
            directories.forEach(directory -> at(directory).ifPresent(found::add));
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + runs, e);
        }
    }
}
