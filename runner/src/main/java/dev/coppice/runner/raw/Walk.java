package dev.coppice.runner.raw;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;

/** Walks a directory that may be changing: files that are deleted meanwhile are skipped. */
public abstract class Walk extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
        if (e instanceof NoSuchFileException) return FileVisitResult.CONTINUE;
        throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e)
            throws IOException {
        if (e == null || e instanceof NoSuchFileException) return FileVisitResult.CONTINUE;
        throw e;
    }
}
