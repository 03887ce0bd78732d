package dev.coppice.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class ShownTest {
    @ParameterizedTest
    @CsvSource({
        "PT-5S, 0ms",
        "PT0S, 0ms",
        "PT0.999S, 999ms",
        "PT1S, 1s",
        "PT59.9S, 59s",
        "PT1M, 1m00s",
        "PT59M59S, 59m59s",
        "PT1H, 1h00m",
        "PT23H59M59S, 23h59m",
        "PT24H, 1d00h",
        "PT2400H, 100d00h"
    })
    void a_length_has_its_two_largest_units(Duration length, String shown) {
        assertThat(Shown.length(length)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 bytes",
        "9999, 9999 bytes",
        "10000, 10 kB",
        "9999999, 9999 kB",
        "10000000, 10 MB",
        "9999999999, 9999 MB",
        "10000000000, 10 GB",
        "5000000000000, 5000 GB"
    })
    void a_size_has_at_most_four_digits(long bytes, String shown) {
        assertThat(Shown.size(bytes)).isEqualTo(shown);
    }

    /** Colours may be absent or unseen, so the sign alone tells how a session is. */
    @Test
    void states_that_mean_different_things_have_different_signs() {
        var states =
                Stream.of(
                        "running",
                        "idle",
                        "stopping",
                        "finished",
                        "failed",
                        "stopped",
                        "timed_out",
                        "lost",
                        "queued",
                        "skipped");
        assertThat(states.map(state -> Shown.state(state).substring(0, 1))).doesNotHaveDuplicates();
    }

    @Test
    void a_state_of_a_newer_coordinator_is_shown_too() {
        assertThat(Shown.state("dreaming")).isEqualTo("· dreaming");
    }

    @Test
    void a_coloured_state_ends_its_colour() {
        assertThat(Shown.colouredState("failed")).isEqualTo("\u001b[31m✗ failed\u001b[0m");
    }

    /** A colour that is left on would dye the rest of the screen, or hide it. */
    @ParameterizedTest
    @ValueSource(strings = {"\u001b[31m", "\u001b[8m", "\u001b[m", "\u001b[1;38;5;16m"})
    void foreign_text_has_no_colours(String colour) {
        assertThat(Shown.clean("a" + colour + "b")).isEqualTo("ab");
    }

    @Test
    void what_is_left_when_a_colour_is_taken_out_is_none() {
        assertThat(Shown.clean("\u001b\u001b[1m[31mb")).isEqualTo("\ufffd[31mb");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u001b[2J", "\u001b]0;t\u0007", "\u0007", "\u202e", "\u009b1m"})
    void foreign_text_has_no_sequences_for_the_terminal(String sequence) {
        assertThat(Shown.clean("a" + sequence + "b"))
                .startsWith("a\ufffd")
                .doesNotContain("\u001b");
    }

    @Test
    void foreign_text_keeps_its_lines() {
        assertThat(Shown.clean("a\n\tb")).isEqualTo("a\n\tb");
        assertThat(Shown.clean(null)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "a|a",
                "' \n a \n b'|a",
                "''|''",
                "'\n\n'|''",
                "'a\tb\nc'|a b",
                "'a\r\nb'|a\ufffd"
            })
    void of_foreign_text_the_first_line_fits_a_table(String text, String line) {
        assertThat(Shown.line(text)).isEqualTo(line);
    }

    @Test
    void the_first_eight_names_are_listed() {
        var names = IntStream.rangeClosed(1, 9).mapToObj(i -> "n" + i).toList();
        assertThat(Shown.names(names.subList(0, 8))).endsWith("n7, n8");
        assertThat(Shown.names(names)).endsWith("n7, n8, …");
        assertThat(Shown.names(List.of("a\u001b[2J"))).isEqualTo("a\ufffd[2J");
    }

    @Test
    void a_host_that_was_not_inspected_has_its_reason() {
        assertThat(Shown.unseen(List.of("one", "two"), Map.of("two", "no git")))
                .containsExactly(
                        "no runner answered on one", "the runner on two could not look: no git");
    }
}
