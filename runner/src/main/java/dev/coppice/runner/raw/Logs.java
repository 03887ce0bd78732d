package dev.coppice.runner.raw;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;

/** What was checked out, read from git's own file: git tells it only of the work tree it is in. */
public final class Logs {
    private static final String HASH = "[0-9a-f]{40,64}";

    private Logs() {}

    /** Every commit in it: each line begins with the one before and the one after. */
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
            throw new UncheckedIOException("reading " + log, e);
        }
        return found;
    }
}
