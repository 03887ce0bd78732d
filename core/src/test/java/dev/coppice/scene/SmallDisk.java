package dev.coppice.scene;

import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file system of a few megabytes that a test can fill. Only root can mount one. */
public final class SmallDisk implements AutoCloseable {
    private static final int PIECE_BYTES = 4096;
    private final Path path;

    private SmallDisk(Path path) {
        this.path = path;
    }

    /** Mounts a file system; skips the calling test if mounting is not permitted. */
    public static SmallDisk ofMegabytes(int megabytes) {
        var path = Temporary.directory("coppice-disk");
        var size = "size=%dm".formatted(megabytes);
        boolean mounted =
                did("mount", "-t", "tmpfs", "-o", size + ",mode=700", "tmpfs", path.toString());
        Assumptions.assumeTrue(mounted, "only root can mount a small disk");
        return new SmallDisk(path);
    }

    public Path path() {
        return path;
    }

    public Path ballast() {
        return path.resolve("ballast");
    }

    /** Fills the file system completely. */
    public void fill() {
        try (var out = Files.newOutputStream(ballast())) {
            while (true) out.write(new byte[PIECE_BYTES]);
        } catch (IOException _) {
            // The disk is full.
        }
    }

    private static boolean did(String... command) {
        try {
            var process =
                    new ProcessBuilder(List.of(command))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        did("umount", "-l", path.toString());
    }
}
