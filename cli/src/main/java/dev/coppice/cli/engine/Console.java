package dev.coppice.cli.engine;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** The surroundings of a command: its environment, directory, three streams, and terminal. */
public record Console(
        Map<String, String> environment,
        InputStream in,
        PrintStream out,
        PrintStream err,
        Readers readers,
        Terminal terminal,
        Path directory) {
    /** The readers of the output. */
    public enum Readers {
        PEOPLE,
        PROGRAMS
    }

    public Console(
            Map<String, String> environment, InputStream in, PrintStream out, PrintStream err) {
        this(
                environment,
                in,
                out,
                err,
                Readers.PEOPLE,
                Terminal.of(environment),
                Path.of("").toAbsolutePath());
    }

    /** This console with another environment. */
    public Console with(Map<String, String> other) {
        return new Console(other, in, out, err, readers, terminal, directory);
    }

    public Console forPrograms() {
        return new Console(environment, in, out, err, Readers.PROGRAMS, terminal, directory);
    }

    /** A file or directory, named as the caller of the command names it. */
    public Path file(String name) {
        return directory.resolve(name).normalize();
    }

    public boolean wantsJson() {
        return readers == Readers.PROGRAMS;
    }

    public @Nullable String env(String name) {
        var value = environment.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    /** True if a question reaches a person, and the person can answer. */
    public boolean canAsk() {
        return terminal.has(Terminal.Stream.IN) && terminal.has(Terminal.Stream.ERR);
    }

    /** True if the output goes to a terminal. */
    public boolean isWatched() {
        return terminal.has(Terminal.Stream.OUT);
    }

    /** True if the output goes to a terminal, unless NO_COLOR is set. */
    public boolean isColoured() {
        return isWatched() && env("NO_COLOR") == null;
    }

    /** The size of the terminal that shows the output; unlimited elsewhere. */
    public Terminal.Size size() {
        return isWatched() ? terminal.size(environment) : Terminal.Size.UNLIMITED;
    }

    /**
     * Draws a screen over the one before, line by line so that it does not flicker. Bypasses {@link
     * TerminalFilter}, which replaces the sequences that move the cursor.
     */
    public static void redraw(String screen) {
        var text = TerminalFilter.text(screen).replace("\n", "\u001b[K\n");
        try {
            new FileOutputStream(FileDescriptor.out)
                    .write(("\u001b[H" + text + "\u001b[J").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("drawing the screen", e);
        }
    }

    /** Asks a question, and returns the answer in lower case; empty at the end of the input. */
    public String answer(String question) {
        err.print(question + " ");
        err.flush();
        return line().strip().toLowerCase(Locale.ROOT);
    }

    /** Reads a line; empty at the end of the input. */
    public String line() {
        try {
            var line = new ByteArrayOutputStream();
            int next = in.read();
            while (next >= 0 && next != '\n') {
                line.write(next);
                next = in.read();
            }
            return line.toString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("reading the answer", e);
        }
    }
}
