package dev.coppice.cli.engine;

import dev.coppice.wire.Utf8;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Cleans output to a terminal. Text of agents may contain sequences that control the terminal, or
 * characters that disguise other text. Main wraps the output to a terminal in this filter; commands
 * also clean such text themselves, because not every redirection is noticed. Plain colours pass,
 * because the commands use them.
 */
final class TerminalFilter extends FilterOutputStream {
    /** Every C0 and C1 control except line ends and tabs; marks of text direction. */
    private static final String CONTROL =
            "[\\p{Cntrl}\u0080-\u009f&&[^\n\t]]"
                    + "|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]";

    private static final Pattern CONTROLS = Pattern.compile(CONTROL);

    /** The same without colours, except the one that conceals what follows. */
    private static final Pattern BESIDE_COLOURS =
            Pattern.compile("(?!\u001b\\[(?!0?8m)\\d{1,2}m)(?:" + CONTROL + ")");

    private static final Pattern COLOURS = Pattern.compile("\u001b\\[[\\d;]{0,20}m");

    /** Characters without width, which are removed. */
    private static final Pattern INVISIBLE =
            Pattern.compile("[\u00ad\u200b-\u200d\u2060-\u2064\ufeff]");

    private static final String REPLACEMENT = "\ufffd";

    private final ByteArrayOutputStream incomplete = new ByteArrayOutputStream();

    TerminalFilter(OutputStream out) {
        super(out);
    }

    static String text(String text) {
        return visible(BESIDE_COLOURS.matcher(text).replaceAll(REPLACEMENT));
    }

    /** Removes colours too: they could colour or hide the text that follows. */
    static String plain(String text) {
        return visible(
                CONTROLS.matcher(COLOURS.matcher(text).replaceAll("")).replaceAll(REPLACEMENT));
    }

    private static String visible(String text) {
        return INVISIBLE.matcher(text).replaceAll("");
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    /** Writes whole characters only; the bytes of an incomplete one wait for the next call. */
    @Override
    public synchronized void write(byte[] bytes, int from, int length) throws IOException {
        incomplete.write(bytes, from, length);
        var all = incomplete.toByteArray();
        int whole = all.length - Utf8.incomplete(all, all.length);
        incomplete.reset();
        incomplete.write(all, whole, all.length - whole);
        var text = new String(all, 0, whole, StandardCharsets.UTF_8);
        out.write(text(text).getBytes(StandardCharsets.UTF_8));
    }
}
