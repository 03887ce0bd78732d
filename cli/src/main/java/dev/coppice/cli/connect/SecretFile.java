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
            // The umask may let others read a new file, so its rights change before the text is
            // written.
            Files.writeString(file, "");
            OwnerOnly.file(file);
            Files.writeString(file, text);
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
