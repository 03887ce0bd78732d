package dev.coppice.cli.engine;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The last line of a terminal, which says what goes on. It is cleared before anything else is
 * printed. Bypasses {@link TerminalFilter}, which replaces the sequences that move the cursor.
 */
public final class StatusLine implements AutoCloseable {
    private static final String CLEAR = "\r\u001b[K";

    /** Measuring the terminal starts a process, and windows seldom change. */
    private static final int USES_OF_A_SIZE = 20;

    private final Console console;
    private int columns;
    private int uses;
    private boolean isShown;
    private boolean isClosed;

    public StatusLine(Console console) {
        this.console = console;
        boolean isDumb = "dumb".equals(console.env("TERM"));
        this.isClosed = isDumb || !console.terminal().has(Terminal.Stream.ERR);
    }

    /** Shows this text instead of the one before, as much of it as fits. */
    public synchronized void show(String text) {
        if (isClosed) return;
        if (uses++ % USES_OF_A_SIZE == 0) columns = console.size().columns();
        var plain = TerminalFilter.plain(text).replace('\n', ' ').replace('\t', ' ');
        var fitting = Width.cut(plain, columns - 1);
        isShown = true;
        write(CLEAR + (console.isColoured() ? "\u001b[2m" + fitting + "\u001b[0m" : fitting));
    }

    public synchronized void clear() {
        if (isShown) write(CLEAR);
        isShown = false;
    }

    /** Clears the line for good. */
    @Override
    public synchronized void close() {
        clear();
        isClosed = true;
    }

    private static void write(String text) {
        try {
            new FileOutputStream(FileDescriptor.err).write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("drawing the status", e);
        }
    }
}
