package dev.coppice.runner.drive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

class BoundedLinesTest {
    private static final String TEXT = "{\"a\":1}\n\nz\u00fcrich \ud83d\ude00\nlast";

    /** Gives at most so many bytes at a time. */
    private static InputStream in(String text, int atOnce) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] into, int at, int length) {
                return super.read(into, at, Math.min(length, atOnce));
            }
        };
    }

    private static List<Heard> lines(String text, int atOnce, int max) throws IOException {
        var lines = new BoundedLines(in(text, atOnce), max);
        var all = new ArrayList<Heard>();
        for (var line = lines.next(); line != null; line = lines.next()) all.add(line);
        return all;
    }

    @Test
    void lines_are_the_same_in_whatever_pieces_they_come() throws IOException {
        var whole = lines(TEXT, 1_000, 1_000);
        assertThat(whole)
                .containsExactly(
                        new Heard.Line("{\"a\":1}"),
                        new Heard.Line(""),
                        new Heard.Line("z\u00fcrich \ud83d\ude00"),
                        new Heard.Line("last"));
        for (int atOnce = 1; atOnce < 9; atOnce++) {
            assertThat(lines(TEXT, atOnce, 1_000)).isEqualTo(whole);
        }
    }

    @Test
    void a_line_above_the_limit_is_counted_and_not_kept() throws IOException {
        var all = lines("x".repeat(5_000) + "\nshort", 100, 2_000);
        assertThat(all.getFirst()).isEqualTo(new Heard.Overlong("x".repeat(1_000), 5_000));
        assertThat(all.getLast()).isEqualTo(new Heard.Line("short"));
    }
}
