package dev.coppice.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.cli.engine.Args.Invalid;
import dev.coppice.wire.Length;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.util.List;

/** The parsing of a command line. */
class ArgsTest {
    private enum Mood {
        AT_WORK,
        IDLE
    }

    private static final Usage USAGE =
            Usage.of(
                    "Try",
                    List.of("NAME", "[OTHER]"),
                    List.of(
                            Option.flag("follow", "go on").as("f"),
                            Option.of("tail", "N", "the last").as("n"),
                            Option.of("mood", "MOOD", "the mood").among(Mood.class),
                            Option.of("env", "NAME", "a variable").repeatable(),
                            Option.of("cost", "USD", "the cost"),
                            Option.of("deadline", "TIME", "how long")),
                    "");

    private static final Usage ACTIONS =
            Usage.of("Act", List.of("add|show|rm", "[NAME…]"), List.of(), "");

    private static Args read(String... line) {
        return Args.read(USAGE, List.of(line));
    }

    private static void assertInvalid(String said, String... line) {
        assertThatThrownBy(() -> read(line)).isInstanceOf(Invalid.class).hasMessage(said);
    }

    @Test
    void options_stand_before_between_and_after_words() {
        var args = read("-f", "a", "--tail", "5", "b", "--mood=idle");
        assertThat(args.words()).containsExactly("a", "b");
        assertThat(args.has("follow")).isTrue();
        assertThat(args.number("tail")).isEqualTo(5);
        assertThat(args.choice("mood", Mood.class)).isEqualTo(Mood.IDLE);
        assertThat(args.has(Option.JSON)).isFalse();
    }

    @Test
    void a_value_follows_its_option_in_the_next_argument_or_after_an_equals_sign() {
        assertThat(read("a", "--tail", "5").value("tail")).isEqualTo("5");
        assertThat(read("a", "--tail=5").value("tail")).isEqualTo("5");
        assertThat(read("a", "-n", "5").value("tail")).isEqualTo("5");
        assertThat(read("a", "--env=A=B").value("env")).isEqualTo("A=B");
        assertThat(read("a", "--env=").value("env")).isEmpty();
    }

    @Test
    void a_value_may_begin_with_a_dash() {
        assertThat(read("a", "--tail", "-5").value("tail")).isEqualTo("-5");
        assertThat(read("a", "--tail", "--follow").has("follow")).isFalse();
    }

    @Test
    void after_two_dashes_everything_is_a_word() {
        assertThat(read("--", "--follow", "--").words()).containsExactly("--follow", "--");
    }

    @Test
    void a_single_dash_is_a_word() {
        assertThat(read("-").words()).containsExactly("-");
    }

    @Test
    void of_an_option_that_is_given_twice_the_last_counts_unless_it_may_be_repeated() {
        assertThat(read("a", "--tail", "1", "--tail", "2").value("tail")).isEqualTo("2");
        assertThat(read("a", "--env", "A", "--env=B").list("env")).containsExactly("A", "B");
    }

    @Test
    void a_missing_value_is_named_by_its_label() {
        assertInvalid("--tail needs N", "a", "--tail");
        assertInvalid("-n needs N", "a", "-n");
    }

    @Test
    void a_flag_takes_no_value() {
        assertInvalid("--follow takes no value", "a", "--follow=yes");
    }

    @Test
    void an_unknown_option_offers_the_near_ones() {
        assertInvalid("unknown option '--folow'. Did you mean '--follow'?", "a", "--folow");
        assertInvalid("unknown option '--zzzzzzzzz'", "a", "--zzzzzzzzz=1");
    }

    /** An abbreviation would change its meaning with the next option that begins like it. */
    @Test
    void an_option_is_not_abbreviated() {
        assertInvalid("unknown option '--fol'. Did you mean '--follow'?", "a", "--fol");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-n5", "-fn", "-null", "-x", "-follow", "-5"})
    void a_letter_stands_alone(String argument) {
        assertThatThrownBy(() -> read("a", argument))
                .isInstanceOf(Invalid.class)
                .hasMessageStartingWith("unknown option '" + argument + "'");
    }

    @Test
    void words_are_counted() {
        assertInvalid("NAME is missing");
        assertInvalid("unexpected argument 'c'", "a", "b", "c");
        assertThat(Args.read(ACTIONS, List.of("add", "b", "c", "d")).words()).hasSize(4);
    }

    @Test
    void a_word_that_chooses_is_one_of_the_choices() {
        assertThatThrownBy(() -> Args.read(ACTIONS, List.of("shwo")))
                .isInstanceOf(Invalid.class)
                .hasMessage("'shwo' is not one of add, show, rm. Did you mean 'show'?");
    }

    @ParameterizedTest
    @CsvSource({"5, 5", "-5, -5", "0, 0", "9223372036854775807, 9223372036854775807", "007, 7"})
    void a_whole_number_is_read(String text, long number) {
        assertThat(read("a", "--tail", text).number("tail")).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1.5", "1e3", " 5", "0x5", "9223372036854775808"})
    void what_is_no_whole_number_is_refused(String text) {
        var args = read("a", "--tail", text);
        assertThatThrownBy(() -> args.number("tail"))
                .isInstanceOf(Invalid.class)
                .hasMessage("--tail is '%s'; it must be a whole number", text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "2147483648"})
    void a_count_is_one_or_more(String text) {
        var args = read("a", "--tail", text);
        assertThatThrownBy(() -> args.count("tail", 9))
                .isInstanceOf(Invalid.class)
                .hasMessage("--tail is '%s'; it must be a whole number from 1", text);
    }

    @Test
    void an_option_that_is_not_given_has_its_default() {
        var args = read("a");
        assertThat(args.count("tail", 9)).isEqualTo(9);
        assertThat(args.choice("mood", Mood.AT_WORK)).isEqualTo(Mood.AT_WORK);
        assertThat(args.number("tail")).isNull();
        assertThat(args.decimal("cost")).isNull();
        assertThat(args.length("deadline")).isNull();
        assertThat(args.list("env")).isNull();
        assertThat(args.choices("mood", Mood.class)).isNull();
        assertThat(args.wordOrNull(1)).isNull();
    }

    @Test
    void a_decimal_number_is_read_exactly() {
        assertThat(read("a", "--cost", "0.10").decimal("cost")).isEqualTo(new BigDecimal("0.10"));
        var args = read("a", "--cost", "$5");
        assertThatThrownBy(() -> args.decimal("cost"))
                .isInstanceOf(Invalid.class)
                .hasMessage("--cost is '$5'; it must be a number");
    }

    @Test
    void a_length_names_the_rule_that_it_breaks() {
        assertThat(read("a", "--deadline", "2m").length("deadline")).isEqualTo(Length.of("2m"));
        var args = read("a", "--deadline", "2 m");
        assertThatThrownBy(() -> args.length("deadline"))
                .isInstanceOf(Invalid.class)
                .hasMessage("--deadline is '2 m'; it must be " + Length.RULE);
    }

    @Test
    void words_of_an_enum_are_written_in_lower_case() {
        var args = read("a", "--mood", "at_work,idle");
        assertThat(args.choices("mood", Mood.class)).containsExactly(Mood.AT_WORK, Mood.IDLE);
        assertThatThrownBy(() -> read("a", "--mood", "AT_WORK").choice("mood", Mood.class))
                .isInstanceOf(Invalid.class)
                .hasMessageStartingWith("--mood is 'AT_WORK'; it must be one of at_work, idle");
        assertThatThrownBy(() -> read("a", "--mood", "idel").choice("mood", Mood.class))
                .hasMessage(
                        "--mood is 'idel'; it must be one of at_work, idle. Did you mean 'idle'?");
    }

    @Test
    void options_with_a_certain_value_can_be_left_out() {
        var args = read("a", "--cost", "none", "--tail", "5").without("none");
        assertThat(args.has("cost")).isFalse();
        assertThat(args.number("tail")).isEqualTo(5);
        assertThat(args.words()).containsExactly("a");
    }

    @Test
    void a_page_begins_after_its_cursor() {
        var usage =
                Usage.of(
                        "x",
                        List.of(),
                        List.of(Option.of("after", "C", ""), Option.of("limit", "N", "")),
                        "");
        var page = Args.read(usage, List.of("--after", "c", "--limit", "5")).page();
        assertThat(page.after()).isEqualTo("c");
        assertThat(page.limit()).isEqualTo(5);
        assertThat(Args.read(usage, List.of()).page().limit()).isEqualTo(100);
    }
}
