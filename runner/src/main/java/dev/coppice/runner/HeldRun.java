package dev.coppice.runner;

import dev.coppice.runner.process.RunFile;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

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
 * A run that this runner holds. The record is written before the agent starts and deleted when the
 * run's end has been reported, so a runner that was killed finds its runs when it restarts. The
 * result of a structured run is data, whatever it prints.
 */
record HeldRun(String runId, String sessionId, long fence, long outputMax, boolean structured) {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final String FILE = "held.json";

    void write(Path directory) {
        var note =
                Json.object()
                        .put("run_id", runId)
                        .put("session_id", sessionId)
                        .put("fence", fence)
                        .put("output_max", outputMax)
                        .put("structured", structured);
        try {
            var part = directory.resolve(FILE + ".part");
            Files.writeString(part, note.toString());
            Files.move(part, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("writing the record of run " + runId, e);
        }
    }

    static void strikeOut(Path directory) {
        try {
            Files.deleteIfExists(directory.resolve(FILE));
        } catch (IOException e) {
            throw new UncheckedIOException("deleting the record of the run in " + directory, e);
        }
    }

    /**
     * Returns the record in this directory; empty if no runner holds the run, or if the record is
     * unreadable, as after a power failure: then the coordinator gives the run up when its lease
     * ends.
     */
    static Optional<HeldRun> at(Path directory) {
        var file = directory.resolve(FILE);
        if (!Files.exists(file)) return Optional.empty();
        try {
            var found = read(Json.valueOf(RunFile.text(file)));
            if (found.isEmpty()) {
                LOG.log(System.Logger.Level.WARNING, "the record of a run is unreadable: " + file);
            }
            return found;
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    private static Optional<HeldRun> read(@Nullable JsonNode note) {
        var run = note == null ? null : Json.textIfAny(note, "run_id");
        var session = note == null ? null : Json.textIfAny(note, "session_id");
        if (note == null || run == null || session == null || !note.path("fence").isNumber()) {
            return Optional.empty();
        }
        return Optional.of(
                new HeldRun(
                        run,
                        session,
                        note.path("fence").asLong(),
                        note.path("output_max").asLong(Long.MAX_VALUE),
                        note.path("structured").asBoolean(false)));
    }

    /** Returns the runs of earlier processes of this runner whose end is not reported yet. */
    static List<HeldRun> all(Path runs) {
        var found = new ArrayList<HeldRun>();
        if (!Files.isDirectory(runs)) return found;
        try (Stream<Path> directories = Files.list(runs)) {
            directories.forEach(directory -> at(directory).ifPresent(found::add));
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + runs, e);
        }
    }
}
