package dev.coppice.cli;

import org.jspecify.annotations.Nullable;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * What a command sees of the world: its environment, its three streams, and whether a person can be
 * asked.
 */
record Console(
        Map<String, String> environment,
        InputStream in,
        PrintStream out,
        PrintStream err,
        Readers readers,
        boolean isTerminal) {
    /** Who reads what is printed. */
    enum Readers {
        PEOPLE,
        PROGRAMS
    }

    Console(Map<String, String> environment, InputStream in, PrintStream out, PrintStream err) {
        this(environment, in, out, err, Readers.PEOPLE, hasTerminal());
    }

    Console forPrograms() {
        return new Console(environment, in, out, err, Readers.PROGRAMS, isTerminal);
    }

    boolean wantsJson() {
        return readers == Readers.PROGRAMS;
    }

    @Nullable String env(String name) {
        var value = environment.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    /** Colours only for people, and not for those who asked for none. */
    boolean isColoured() {
        return isTerminal && env("NO_COLOR") == null;
    }

    static boolean hasTerminal() {
        return Optional.ofNullable(System.console()).map(c -> c.isTerminal()).orElse(false);
    }

    /** Past all cleaning: a sequence of our own. */
    static void clear() {
        try {
            new FileOutputStream(FileDescriptor.out)
                    .write("\u001b[H\u001b[2J".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException("clearing the screen", e);
        }
    }

    /** What the person answers; nothing when there is no more. */
    String line() {
        try {
            var line = new StringBuilder();
            int next = in.read();
            while (next >= 0 && next != '\n') {
                line.append((char) next);
                next = in.read();
            }
            return line.toString();
        } catch (IOException e) {
            throw new UncheckedIOException("reading the answer", e);
        }
    }
}
