package dev.coppice.scene;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** Directories for as long as the tests run; afterwards nothing is left of them. */
public final class Temporary {
    private static final Queue<Path> MADE = new ConcurrentLinkedQueue<>();

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform().unstarted(() -> MADE.forEach(Temporary::drop)));
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

    /** As far as it goes: what someone still writes to is not worth an error at the very end. */
    private static void drop(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
        } catch (IOException | UncheckedIOException _) {
            // Whatever is left is small, and in the place for what may be lost.
        }
    }
}
