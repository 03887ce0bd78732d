package dev.coppice.runner.raw;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/** Reads a reflog from its file: git itself shows only the HEAD log of the current work tree. */
public final class Logs {
    private static final String HASH = "[0-9a-f]{40,64}";

    private Logs() {}

    /** Returns every commit in the log: each line starts with the old and the new one. */
    public static Set<String> of(Path log) {
        var found = new LinkedHashSet<String>();
        try (var lines = Files.lines(log, ISO_8859_1)) {
            lines.forEach(line -> {
                for (var word : line.split(" ", 3)) {
                    if (word.matches(HASH) && !word.matches("0+")) found.add(word);
                }
            });
        } catch (NoSuchFileException _) {
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read '" + log + "'", e);
        }
        return found;
    }
}
