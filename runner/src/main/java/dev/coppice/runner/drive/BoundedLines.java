package dev.coppice.runner.drive;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads lines of bounded length, however they arrive in pieces. */
final class BoundedLines {
    static final int BYTES_MAX = 8 * 1024 * 1024;
    private static final int SHOWN_BYTES = 1_000;
    private final InputStream in;
    private final int max;

    BoundedLines(InputStream in) {
        this(in, BYTES_MAX);
    }

    BoundedLines(InputStream in, int max) {
        this.in = new BufferedInputStream(in, 1 << 16);
        this.max = max;
    }

    /** Returns the next line, including an unfinished last one; null at the end. */
    @Nullable Heard next() throws IOException {
        var line = new ByteArrayOutputStream();
        long bytes = 0;
        int one = in.read();
        if (one < 0) return null;
        while (one >= 0 && one != '\n') {
            bytes++;
            if (bytes <= max) line.write(one);
            one = in.read();
        }
        if (bytes <= max) return new Heard.Line(line.toString(StandardCharsets.UTF_8));
        var begin = new String(line.toByteArray(), 0, SHOWN_BYTES, StandardCharsets.UTF_8);
        return new Heard.Overlong(begin, bytes);
    }
}
