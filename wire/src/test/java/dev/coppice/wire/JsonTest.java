package dev.coppice.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Records as JSON: newer and older programs understand each other, and nothing else is read. */
class JsonTest {
    private enum Mood {
        AT_WORK,
        IDLE
    }

    private record Sample(
            String sessionName, int maxRuns, @Nullable Mood mood, @Nullable List<String> tags) {}

    private sealed interface Answer permits Small, Large, Other {}

    private record Small(String id) implements Answer {}

    private record Large(String id, String state, @Nullable String reason) implements Answer {}

    private record Other(String word) implements Answer {}

    private static Sample read(String text) {
        return Json.as(text, Sample.class);
    }

    @Test
    void a_record_is_written_in_snake_case_with_every_field() {
        assertThat(Json.write(new Sample("plan", 2, Mood.AT_WORK, null)))
                .isEqualTo(
                        "{\"session_name\":\"plan\",\"max_runs\":2,\"mood\":\"at_work\",\"tags\":null}");
    }

    @Test
    void a_field_of_a_newer_program_is_ignored() {
        assertThat(read("{\"session_name\":\"a\",\"max_runs\":1,\"newer\":{\"x\":[1]}}"))
                .isEqualTo(new Sample("a", 1, null, null));
    }

    @Test
    void a_field_that_an_older_program_does_not_send_is_absent() {
        assertThat(read("{\"session_name\":\"a\"}")).isEqualTo(new Sample("a", 0, null, null));
    }

    @Test
    void a_null_is_as_good_as_no_field() {
        assertThat(read("{\"session_name\":\"a\",\"max_runs\":null,\"tags\":null}"))
                .isEqualTo(read("{\"session_name\":\"a\"}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"at_work", "AT_WORK", "At_Work"})
    void a_word_is_read_in_any_case(String word) {
        assertThat(read("{\"mood\":\"%s\"}".formatted(word)).mood()).isEqualTo(Mood.AT_WORK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"mood\":\"at work\"}",
                "{\"mood\":\"sad\"}",
                "{\"mood\":{}}",
                "{\"mood\":1}",
                "{\"mood\":\"1\"}",
                "{\"max_runs\":\"two\"}",
                "{\"max_runs\":2147483648}",
                "{\"max_runs\":1.5}",
                "{\"max_runs\":1e999999999}",
                "{\"max_runs\":[1]}",
                "{\"session_name\":{}}",
                "{\"tags\":\"a\"}",
                "{\"tags\":{\"a\":1}}",
                "[]",
                "\"plan\"",
                "7"
            })
    void a_value_of_another_type_is_unreadable(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(Json.Unreadable.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1}{\"a\":2}",
                "{\"a\":1} x",
                "{\"a\":1,}",
                "{'a':1}",
                "{a:1}",
                "{\"a\":NaN}",
                "{\"a\":01}",
                "{\"a\":1/* why */}",
                "{\"a\":\"one\nline\"}",
                "{\"a\":1",
                "nul"
            })
    void a_text_that_is_not_one_json_value_is_unreadable(String text) {
        assertThatThrownBy(() -> Json.read(text)).isInstanceOf(Json.Unreadable.class);
        assertThat(Json.valueOf(text)).isNull();
    }

    @Test
    void bytes_that_are_not_utf_8_are_unreadable() {
        var bytes = "{\"a\":\"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> Json.read(bytes)).isInstanceOf(Json.Unreadable.class);
    }

    @Test
    void a_message_says_where_the_text_is_wrong() {
        assertThatThrownBy(() -> Json.read("{\n  \"a\": x\n}"))
                .hasMessageContaining("line 2, column");
    }

    /** A parser that recurses would end with the stack. */
    @ParameterizedTest
    @CsvSource({"200, true", "201, false", "100000, false"})
    void a_value_nests_two_hundred_levels_at_most(int levels, boolean isGood) {
        var text = "[".repeat(levels) + "]".repeat(levels);
        assertThat(Json.valueOf(text) != null).isEqualTo(isGood);
    }

    @Test
    void a_blank_text_is_no_value() {
        assertThat(Json.valueOf(" \n\t")).isNull();
        assertThat(Json.valueOf(" 7 ")).isEqualTo(Json.read("7"));
    }

    @Test
    void of_several_forms_of_an_answer_the_one_with_most_of_its_fields_is_meant() {
        assertThat(Json.as("{\"id\":\"x\"}", Answer.class)).isEqualTo(new Small("x"));
        assertThat(Json.as("{\"id\":\"x\",\"state\":\"idle\"}", Answer.class))
                .isEqualTo(new Large("x", "idle", null));
        assertThat(Json.as("{\"word\":\"x\",\"id\":\"y\",\"state\":\"z\"}", Answer.class))
                .isEqualTo(new Large("y", "z", null));
    }

    @Test
    void an_answer_that_fits_no_form_is_unreadable() {
        assertThatThrownBy(() -> Json.as("{\"state\":\"idle\"}", Answer.class))
                .isInstanceOf(Json.Unreadable.class)
                .hasMessageContaining("fits no form of Answer");
    }

    @Test
    void a_number_or_a_word_of_an_object_is_a_text_and_a_null_is_none() {
        var object = Json.read("{\"n\":1.5,\"b\":true,\"t\":\"x\",\"null\":null,\"o\":{}}");
        assertThat(Json.text(object, "n")).isEqualTo("1.5");
        assertThat(Json.text(object, "b")).isEqualTo("true");
        assertThat(Json.text(object, "t")).isEqualTo("x");
        assertThat(Json.text(object, "null")).isNull();
        assertThat(Json.text(object, "missing")).isNull();
        assertThatThrownBy(() -> Json.text(object, "o"))
                .isInstanceOf(Json.Unreadable.class)
                .hasMessage("o is not a text");
    }

    @Test
    void a_foreign_field_of_another_type_is_no_text() {
        var object = Json.read("{\"o\":{},\"a\":[\"x\"],\"null\":null,\"n\":7}");
        assertThat(Json.textIfAny(object, "o")).isNull();
        assertThat(Json.textIfAny(object, "a")).isNull();
        assertThat(Json.textIfAny(object, "null")).isNull();
        assertThat(Json.textIfAny(object, "n")).isEqualTo("7");
        assertThat(Json.textIfAny(Json.read("[1]"), "n")).isNull();
    }

    /** Half a character stands in stored text as an escape, and has no bytes of its own. */
    @Test
    void half_a_character_survives_as_an_escape() {
        var stored = Json.stored("{\"a\":\"\\ud83d \\ud83c\\udf33\"}");
        var bytes = new String(Json.bytes(stored), StandardCharsets.UTF_8);
        assertThat(bytes).contains("\\ud83d ").doesNotContain("?");
        assertThat(Json.read(bytes).get("a").asString()).isEqualTo("\ud83d \ud83c\udf33");
    }

    @Test
    void stored_fields_keep_the_digits_of_their_numbers() {
        var fields = Json.storedFields("{\"cost\":1.10,\"big\":12345678901234567890123}");
        assertThat(Json.write(fields)).isEqualTo("{\"cost\":1.10,\"big\":12345678901234567890123}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "\"a\"", "{\"a\":", "", "{\"a\"}"})
    void stored_fields_are_those_of_one_object(String text) {
        assertThatThrownBy(() -> Json.storedFields(text)).isInstanceOf(Json.Unreadable.class);
    }
}
