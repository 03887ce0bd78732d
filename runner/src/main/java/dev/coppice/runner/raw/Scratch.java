package dev.coppice.runner.raw;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/** A place for files of ours while work is looked at, kept or given back; it goes with the work. */
public final class Scratch {
    private static final ScopedValue<Path> CURRENT = ScopedValue.newInstance();

    private Scratch() {}

    /** Does the work with a directory of its own below this one. */
    public static <T> T within(Path below, Supplier<T> work) {
        try {
            Files.createDirectories(below);
            return in(Files.createTempDirectory(below, "work"), work);
        } catch (IOException e) {
            throw new UncheckedIOException("making a directory in " + below, e);
        }
    }

    /** The same, with one among the temporary files. */
    public static <T> T within(Supplier<T> work) {
        try {
            return in(Files.createTempDirectory("coppice"), work);
        } catch (IOException e) {
            throw new UncheckedIOException("making a temporary directory", e);
        }
    }

    private static <T> T in(Path directory, Supplier<T> work) throws IOException {
        try {
            return ScopedValue.where(CURRENT, directory.toRealPath()).call(work::get);
        } finally {
            Handles.delete(directory);
        }
    }

    /** A new directory that goes when the work is done. */
    public static Path directory(String name) {
        try {
            return Files.createTempDirectory(CURRENT.get(), name);
        } catch (IOException e) {
            throw new UncheckedIOException("making a directory in " + CURRENT.get(), e);
        }
    }
}
