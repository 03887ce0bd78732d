package dev.coppice.cli.engine;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The standard streams that are terminals. The launcher sets COPPICE_TERMINAL to their numbers,
 * such as {@code 02}: the JDK knows only whether input and output both are.
 */
public record Terminal(String streams) {
    /** The variable that the launcher sets. */
    private static final String VARIABLE = "COPPICE_TERMINAL";

    private static final Pattern SIZE = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");

    /** A standard stream, with its number. */
    public enum Stream {
        IN('0'),
        OUT('1'),
        ERR('2');

        private final char number;

        Stream(char number) {
            this.number = number;
        }
    }

    /** The number of lines and columns. */
    public record Size(int rows, int columns) {
        public static final Size UNLIMITED = new Size(Integer.MAX_VALUE, Integer.MAX_VALUE);
        static final Size USUAL = new Size(24, 80);
    }

    public static Terminal of(Map<String, String> environment) {
        var set = environment.get(VARIABLE);
        if (set != null) return new Terminal(set);
        boolean both = Optional.ofNullable(System.console()).map(c -> c.isTerminal()).orElse(false);
        return new Terminal(both ? "012" : "");
    }

    public boolean has(Stream stream) {
        return streams.indexOf(stream.number) >= 0;
    }

    /** Returns the stream to write to. Text for a terminal is cleaned; a pipe gets all bytes. */
    public OutputStream writingTo(Stream stream, OutputStream plain) {
        return has(stream) ? new TerminalFilter(plain) : plain;
    }

    /** The present size, which changes with the window. LINES and COLUMNS take precedence. */
    Size size(Map<String, String> environment) {
        var rows = number(environment.get("LINES"));
        var columns = number(environment.get("COLUMNS"));
        if (rows != null && columns != null) return new Size(rows, columns);
        var measured = measured();
        return new Size(
                rows == null ? measured.rows() : rows,
                columns == null ? measured.columns() : columns);
    }

    private static @Nullable Integer number(@Nullable String text) {
        if (text == null || !text.matches("\\d{1,5}")) return null;
        int number = Integer.parseInt(text);
        return number > 0 ? Integer.valueOf(number) : null;
    }

    private static Size measured() {
        try {
            var stty =
                    new ProcessBuilder("stty", "size")
                            .redirectInput(new File("/dev/tty"))
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            try (var out = stty.getInputStream()) {
                var found = SIZE.matcher(new String(out.readAllBytes(), StandardCharsets.UTF_8));
                if (!found.matches()) return Size.USUAL;
                var rows = number(found.group(1));
                var columns = number(found.group(2));
                return rows == null || columns == null ? Size.USUAL : new Size(rows, columns);
            }
        } catch (IOException _) {
            return Size.USUAL;
        }
    }
}
