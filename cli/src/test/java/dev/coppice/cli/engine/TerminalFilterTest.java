package dev.coppice.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Text of agents does not control the terminal. */
class TerminalFilterTest {
    private static String shown(String text) {
        return sent(text, new Terminal("1"));
    }

    private static String sent(String text, Terminal terminal) {
        var bytes = new ByteArrayOutputStream();
        var to = terminal.writingTo(Terminal.Stream.OUT, bytes);
        try (var out = new PrintStream(to, true, StandardCharsets.UTF_8)) {
            out.print(text);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_pipe_gets_every_byte() {
        var evil = "a\u001b[2J\u009b31m\b\r\u202e\u0000\u00ad";
        assertThat(sent(evil, new Terminal("02"))).isEqualTo(evil);
    }

    @Test
    void sequences_that_control_the_terminal_are_replaced() {
        for (var evil :
                new String[] {
                    "\u001b[2J",
                    "\u001b]0;title\u0007",
                    "\u001b[31;1H",
                    "\u009b31m",
                    "\b\b",
                    "\r",
                    "\u202e",
                    "\u2066",
                    "\u200f",
                    "\u0000",
                    "\u007f",
                    // Conceals whatever follows.
                    "\u001b[8m",
                    "\u001b[08m"
                }) {
            assertThat(shown("a" + evil + "b"))
                    .startsWith("a\ufffd")
                    .doesNotContainPattern("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\u202e\u2066\u200f]");
        }
        assertThat(shown("pass\u200bword\ufeff")).isEqualTo("password");
    }

    @Test
    void text_line_ends_tabs_and_colours_pass() {
        var text = "one\ttwo\nthr\u00e9\u00e9 \ud83c\udf33 \u001b[32mgreen\u001b[0m\n";
        assertThat(shown(text)).isEqualTo(text);
    }

    @Test
    void a_character_written_byte_by_byte_is_cleaned_whole() {
        var bytes = new ByteArrayOutputStream();
        var all = "\ud83c\udf33\u202e".getBytes(StandardCharsets.UTF_8);
        try (var out = new PrintStream(new TerminalFilter(bytes), true, StandardCharsets.UTF_8)) {
            for (byte b : all) out.write(b);
        }
        assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("\ud83c\udf33\ufffd");
    }
}
