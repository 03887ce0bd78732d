package dev.coppice.runner.raw;

import dev.coppice.runner.process.Native;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A descriptor (O_PATH) that stays with a file, whatever takes its name. The JDK cannot open such a
 * descriptor: it must be able to read the file first.
 */
record Pin(int descriptor) implements AutoCloseable {
    private static final String DESCRIPTORS = "/proc/self/fd";

    static boolean isPossible() {
        return Native.isAvailable() && Files.isDirectory(Path.of(DESCRIPTORS));
    }

    static Pin of(Path file) throws IOException {
        int descriptor = Native.openPath(RawName.bytes(file));
        if (descriptor >= 0) return new Pin(descriptor);
        throw new AccessDeniedException(file.toString());
    }

    /** A short path of the file. */
    Path path() {
        return Path.of(DESCRIPTORS, String.valueOf(descriptor));
    }

    @Override
    public void close() {
        Native.close(descriptor);
    }
}
