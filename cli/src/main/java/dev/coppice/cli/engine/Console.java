package dev.coppice.cli.engine;

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
 * The surroundings of a command: its environment, its three streams, and whether it runs on a
 * terminal.
 */
public record Console(
        Map<String, String> environment,
        InputStream in,
        PrintStream out,
        PrintStream err,
        Readers readers,
        boolean isTerminal) {
    /** The readers of the output. */
    public enum Readers {
        PEOPLE,
        PROGRAMS
    }

    public Console(
            Map<String, String> environment, InputStream in, PrintStream out, PrintStream err) {
        this(environment, in, out, err, Readers.PEOPLE, hasTerminal());
    }

    public Console forPrograms() {
        return new Console(environment, in, out, err, Readers.PROGRAMS, isTerminal);
    }

    public boolean wantsJson() {
        return readers == Readers.PROGRAMS;
    }

    public @Nullable String env(String name) {
        var value = environment.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    /** True on a terminal, unless NO_COLOR is set. */
    public boolean isColoured() {
        return isTerminal && env("NO_COLOR") == null;
    }

    public static boolean hasTerminal() {
        return Optional.ofNullable(System.console()).map(c -> c.isTerminal()).orElse(false);
    }

    /** Clears the screen. Bypasses {@link TerminalFilter}, which replaces such sequences. */
    public static void clear() {
        try {
            new FileOutputStream(FileDescriptor.out)
                    .write("\u001b[H\u001b[2J".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException("clearing the screen", e);
        }
    }

    /** Reads a line; empty at the end of the input. */
    public String line() {
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
