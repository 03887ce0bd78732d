package dev.coppice.cli.connect;

import dev.coppice.client.OwnerOnly;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of ours with a token, which only its owner reads. */
final class SecretFile {
    private SecretFile() {}

    static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            OwnerOnly.write(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + file, e);
        }
    }

    static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("deleting " + file, e);
        }
    }
}
