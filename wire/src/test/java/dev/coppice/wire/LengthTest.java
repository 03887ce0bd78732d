package dev.coppice.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

class LengthTest {
    @ParameterizedTest
    @CsvSource({
        "0, PT0S",
        "5, PT5S",
        "500ms, PT0.5S",
        "5s, PT5S",
        "2m, PT2M",
        "3h, PT3H",
        "7d, PT168H",
        "007s, PT7S",
        "999999999ms, PT277H46M39.999S"
    })
    void a_number_and_a_unit_are_a_length(String text, Duration length) {
        assertThat(Length.read(text)).isEqualTo(length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s",
                "-5s",
                "+5s",
                "5 s",
                " 5s",
                "5s ",
                "1.5h",
                "5S",
                "5w",
                "1h30m",
                "0x5s",
                "1000000000s",
                "\u0665s",
                "5s\n"
            })
    void anything_else_is_none(String text) {
        assertThat(Length.read(text)).isNull();
        assertThatThrownBy(() -> Length.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'%s' is not a time such as 500ms, 5s, 2m, 3h or 7d", text);
    }

    @ParameterizedTest
    @CsvSource({
        "2m, 120s",
        "500ms, 500ms",
        "1500ms, 1500ms",
        "2000ms, 2s",
        "0ms, 0s",
        "7d, 604800s"
    })
    void a_length_is_written_in_seconds_or_else_in_milliseconds(String text, String written) {
        assertThat(Length.of(text)).hasToString(written);
    }

    /** A client sends what it has read; the coordinator then says that it is too long. */
    @ParameterizedTest
    @ValueSource(
            strings = {"20000d", "999999999d", "999999999h", "999999999m", "999999999s", "1ms"})
    void what_is_written_can_be_read_again(String text) {
        var length = Length.of(text);
        assertThat(Length.of(length.toString())).isEqualTo(length);
    }

    @Test
    void json_has_a_length_as_a_text() {
        assertThat(Json.write(Length.ofSeconds(90))).isEqualTo("\"90s\"");
        assertThat(Json.as("\"2m\"", Length.class)).isEqualTo(Length.ofSeconds(120));
        assertThatThrownBy(() -> Json.as("\"soon\"", Length.class))
                .isInstanceOf(Json.Unreadable.class)
                .hasMessageContaining("'soon' is not a time such as 500ms");
    }

    @Test
    void absent_patience_is_none() {
        assertThat(Patience.NONE.orZero()).isZero();
        assertThat(Patience.NONE.or(Duration.ofHours(1))).isEqualTo(Duration.ofHours(1));
        assertThat(new Patience(Length.of("0s")).or(Duration.ofHours(1))).isZero();
    }
}
