package dev.coppice.scene;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** Temporary directories that are deleted when the JVM exits. */
public final class Temporary {
    private static final Queue<Path> MADE = new ConcurrentLinkedQueue<>();

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform().unstarted(() -> MADE.forEach(Temporary::delete)));
    }

    private Temporary() {}

    public static Path directory(String name) {
        try {
            var made = Files.createTempDirectory(name);
            MADE.add(made);
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException("making a directory for " + name, e);
        }
    }

    /** Best effort: a process that still writes there is not worth an error. */
    public static void delete(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
        } catch (IOException | UncheckedIOException _) {
            // The rest is small and lies in the directory for temporary files.
        }
    }
}
