package dev.coppice.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.cli.engine.Terminal.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Which of its streams a command shares with a person. */
class TerminalTest {
    private static Console console(String streams, Map<String, String> more, String typed) {
        var environment =
                new HashMap<>(Map.of("COPPICE_TERMINAL", streams, "LINES", "24", "COLUMNS", "80"));
        environment.putAll(more);
        var in = new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8));
        var out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        return new Console(environment, in, out, out);
    }

    private static Console console(String streams) {
        return console(streams, Map.of(), "");
    }

    @ParameterizedTest
    @CsvSource({
        "012, true, true",
        "02, true, false",
        "12, false, true",
        "01, false, true",
        "0, false, false",
        "'', false, false"
    })
    void a_question_needs_input_and_errors_and_a_screen_needs_output(
            String streams, boolean canAsk, boolean isWatched) {
        assertThat(console(streams).canAsk()).isEqualTo(canAsk);
        assertThat(console(streams).isWatched()).isEqualTo(isWatched);
    }

    @Test
    void colours_are_for_terminals_without_a_wish_against_them() {
        assertThat(console("1").isColoured()).isTrue();
        assertThat(console("02").isColoured()).isFalse();
        assertThat(console("1", Map.of("NO_COLOR", "1"), "").isColoured()).isFalse();
        assertThat(console("1", Map.of("NO_COLOR", ""), "").isColoured()).isTrue();
    }

    @Test
    void only_a_terminal_has_a_size() {
        assertThat(console("1").size()).isEqualTo(new Terminal.Size(24, 80));
        assertThat(console("02").size()).isEqualTo(Terminal.Size.UNLIMITED);
    }

    @Test
    void only_what_goes_to_a_terminal_is_cleaned() {
        var plain = new ByteArrayOutputStream();
        assertThat(new Terminal("02").writingTo(Stream.OUT, plain)).isSameAs(plain);
        assertThat(new Terminal("12").writingTo(Stream.OUT, plain))
                .isInstanceOf(TerminalFilter.class);
    }

    @Test
    void a_line_is_read_at_a_time_and_the_rest_stays() {
        var console = console("012", Map.of(), "Yes \r\nh\u00e9\nlast");
        assertThat(console.answer("Sure?")).isEqualTo("yes");
        assertThat(console.line()).isEqualTo("h\u00e9");
        assertThat(console.line()).isEqualTo("last");
        assertThat(console.line()).isEmpty();
    }

    @Test
    void an_empty_variable_is_none() {
        var console = console("", Map.of("COPPICE_URL", ""), "");
        assertThat(console.env("COPPICE_URL")).isNull();
        assertThat(console.env("NEVER_SET")).isNull();
    }
}
