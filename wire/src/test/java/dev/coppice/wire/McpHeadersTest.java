package dev.coppice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class McpHeadersTest {
    @ParameterizedTest
    @ValueSource(strings = {"start_session", "a.b/c-d", "!~", "=?utf-8?x?=", ""})
    void a_plain_value_stands_for_itself(String value) {
        assertThat(McpHeaders.encoded(value)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "two words",
                " edge ",
                "h\u00e9",
                "\u8a08\u753b",
                "\ud83c\udf33",
                "a\r\nX-Evil: 1",
                "\u0000",
                "\u007f",
                "=?base64?YQ==?="
            })
    void any_other_value_is_encoded_and_comes_back(String value) {
        var header = McpHeaders.encoded(value);
        assertThat(header).matches("[!-~]+").isNotEqualTo(value);
        assertThat(McpHeaders.decoded(header)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "=?base64?YQ==",
                "=?base64?",
                "=?base64?=",
                "=?base64?YQ?=",
                "=?base64?Y Q=?=",
                "=?base64?YR==?=",
                "=?base64?_-8=?=",
                "YQ==?="
            })
    void a_value_that_is_not_encoded_well_stands_for_itself(String header) {
        assertThat(McpHeaders.decoded(header)).isEqualTo(header);
    }

    @Test
    void bytes_that_are_no_text_stand_for_themselves() {
        assertThat(McpHeaders.decoded("=?base64?/w==?=")).isEqualTo("=?base64?/w==?=");
    }

    @ParameterizedTest
    @CsvSource({
        "tools/call, name",
        "prompts/get, name",
        "resources/read, uri",
        "tasks/get, taskId",
        "tasks/update, taskId",
        "tasks/cancel, taskId",
        "tools/list, ",
        "initialize, "
    })
    void the_header_repeats_what_the_method_is_about(String method, String parameter) {
        assertThat(McpHeaders.named(method)).isEqualTo(parameter);
    }
}
