package dev.coppice.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;
import dev.coppice.wire.event.EventView;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;

/** The line that is printed for an event. Agents send events of any form. */
class EventTextTest {
    private static EventView event(String details) {
        return Json.as(
                """
                {"id":7,"session_id":"s","event_type":"x","timestamp":"2026-11-23T12:00:00Z"%s}
                """
                        .formatted(details),
                EventView.class);
    }

    private static String detail(String details) {
        return EventText.detail(event(details));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                ",\"error\":\"e\",\"reason\":\"r\",\"text\":\"t\"|e",
                ",\"reason\":\"r\",\"result_text\":\"t\"|r",
                ",\"error\":null,\"message\":\"m\"|m",
                ",\"text\":7|7",
                ",\"detail\":{\"a\":[1]}|{\"a\":[1]}",
                ",\"tool\":\"Bash\",\"n\":2,\"none\":null|tool=Bash n=2",
                ",\"role\":\"user\",\"state\":\"owed\"|state=owed"
            })
    void the_most_telling_field_is_shown_or_else_all(String details, String shown) {
        assertThat(detail(details)).isEqualTo(shown);
    }

    @Test
    void the_texts_of_a_message_are_joined() {
        assertThat(
                        detail(
                                ",\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"}]"))
                .isEqualTo("ab");
    }

    @Test
    void a_part_of_a_message_that_is_no_text_is_skipped() {
        assertThat(
                        detail(
                                ",\"content\":[{\"type\":\"image\",\"data\":\"x\"},{\"text\":{\"odd\":1}},7,{\"text\":\"b\"}]"))
                .isEqualTo("b");
    }

    @Test
    void a_message_may_be_a_list_of_texts() {
        assertThat(detail(",\"content\":[\"a\",\"b\"]")).isEqualTo("ab");
    }

    /** Agents write the numbers: one may have a thousand million digits. */
    @ParameterizedTest
    @CsvSource({
        "0.0008, cost=0.0008",
        "8.0E-4, cost=0.00080",
        "1e400, cost=",
        "1e999999999, cost=",
        "-1e-999999999, cost=",
        "7, cost=7"
    })
    void an_amount_has_no_exponent_unless_it_would_be_long(String number, String text) {
        assertThat(detail(",\"cost\":" + number)).startsWith(text).hasSizeLessThan(30);
    }

    @ParameterizedTest
    @ValueSource(strings = {"noon", "", "2026-11-23", "1700000000"})
    void a_time_that_cannot_be_read_is_the_earliest(String time) {
        var odd = Json.as("{\"id\":1,\"timestamp\":\"%s\"}".formatted(time), EventView.class);
        assertThat(EventText.time(odd)).isEqualTo(Instant.EPOCH);
    }

    @Test
    void a_time_of_another_zone_is_read() {
        var odd =
                Json.as("{\"id\":1,\"timestamp\":\"2026-11-23T13:00:00+01:00\"}", EventView.class);
        assertThat(EventText.time(odd)).isEqualTo(Instant.parse("2026-11-23T12:00:00Z"));
    }
}
