package dev.coppice.runner.raw;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/** Temporary directories for one piece of work, deleted when it ends. */
public final class Scratch {
    private static final ScopedValue<Path> CURRENT = ScopedValue.newInstance();

    private Scratch() {}

    /** Runs the work with a new scratch directory below the given one. */
    public static <T> T within(Path below, Supplier<T> work) {
        try {
            Files.createDirectories(below);
            return in(Files.createTempDirectory(below, "work"), work);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a directory in '" + below + "'", e);
        }
    }

    /** Runs the work with a new scratch directory in the system's temporary directory. */
    public static <T> T within(Supplier<T> work) {
        try {
            return in(Files.createTempDirectory("coppice"), work);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a temporary directory", e);
        }
    }

    private static <T> T in(Path directory, Supplier<T> work) throws IOException {
        try {
            return ScopedValue.where(CURRENT, directory.toRealPath()).call(work::get);
        } finally {
            Handles.delete(directory);
        }
    }

    /** Returns the scratch directory of the work, which this process made. */
    static Path current() {
        return CURRENT.get();
    }

    /** Creates a directory that is deleted when the work ends. */
    public static Path directory(String name) {
        try {
            return Files.createTempDirectory(CURRENT.get(), name);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to '" + CURRENT.get() + "'", e);
        }
    }
}
