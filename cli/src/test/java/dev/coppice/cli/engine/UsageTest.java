package dev.coppice.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class UsageTest {
    private static Usage usage(String... words) {
        return Usage.of(
                "Try it",
                List.of(words),
                List.of(Option.flag("follow", "go on").as("f"), Option.of("tail", "N", "the last")),
                "  coppice try x\n");
    }

    @Test
    void words_in_brackets_are_optional_and_an_ellipsis_repeats() {
        assertThat(usage("NAME", "[OTHER]").wordsMin()).isEqualTo(1);
        assertThat(usage("NAME", "[OTHER]").wordsMax()).isEqualTo(2);
        assertThat(usage("NAME…").wordsMin()).isEqualTo(1);
        assertThat(usage("NAME…").wordsMax()).isEqualTo(Integer.MAX_VALUE);
        assertThat(usage().wordsMax()).isZero();
    }

    @Test
    void keywords_are_in_lower_case_and_labels_are_not() {
        assertThat(usage("add|rm", "[NAME]").keywordsAt(0)).containsExactly("add", "rm");
        assertThat(usage("add|rm", "[NAME]").keywordsAt(1)).isEmpty();
        assertThat(usage("[NAME|verify]").keywordsAt(0)).isEmpty();
        assertThat(usage("[NAME|verify]").alternativesAt(0)).containsExactly("NAME", "verify");
    }

    @Test
    void the_last_word_stands_for_its_repetitions() {
        assertThat(usage("add|rm", "[NAME…]").alternativesAt(7)).containsExactly("NAME");
        assertThat(usage("NAME").alternativesAt(1)).isEmpty();
    }

    @Test
    void an_option_has_a_name_and_perhaps_a_letter() {
        assertThat(usage().option("--follow")).isNotNull();
        assertThat(usage().option("-f")).isNotNull();
        assertThat(usage().option("--json")).isNotNull();
        assertThat(usage().option("follow")).isNull();
        assertThat(usage().option("--f")).isNull();
        assertThat(usage().option("-null")).isNull();
    }

    @Test
    void help_shows_the_line_and_what_each_option_means() {
        var usage = usage("NAME");
        var ours = usage.options().subList(0, 3);
        assertThat(new Usage(usage.summary(), usage.words(), ours, usage.more()).help("try"))
                .isEqualTo(
                        """
                        Try it

                          coppice try NAME [options]

                          -f, --follow                 go on
                              --tail N                 the last
                              --json                   print the output as JSON

                          coppice try x
                        """);
    }
}
