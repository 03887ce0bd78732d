package dev.coppice.wire.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolInputTest {
    /** The input is written by programs and agents, so any value may stand anywhere. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"command\":\"ls\"} | ls",
                "{\"command\":[\"ls\",\"-l\",2]} | ls -l 2",
                "{\"plan\":[{\"step\":1},true]} | {\"step\":1} true",
                "{\"query\":[[]]} | []",
                "{\"path\":{},\"command\":[]} | {\"path\":{},\"command\":[]}"
            })
    void any_input_has_a_subject(String input, String subject) {
        assertThat(ToolInput.subject(Json.read(input))).isEqualTo(subject);
    }
}
