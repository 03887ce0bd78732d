package dev.coppice.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.kernel.JsonText;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Stored JSON in an answer, of which no tree is made. */
class StoredJsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "{}",
                "[1, 2.50, -0.1, 1e5, 12345678901234567890.123456789]",
                "{\"a\": {\"b\": [true, null, \"\\u00e9\\n\\\"x\\\"\"]},\n \"c\": \"\"}",
                "{\"half\": \"\\ud83d x \\ude00\", \"whole\": \"\\ud83d\\ude00\"}"
            })
    void it_is_the_same_value_on_one_line(String stored) {
        var answer = new String(Json.bytes(Map.of("v", shown(stored))), StandardCharsets.UTF_8);
        assertThat(answer).doesNotContain("\n");
        assertThat(Json.read(answer).get("v")).isEqualTo(Json.read(stored));
        assertThat(Json.read(Json.write(Json.tree(Map.of("v", shown(stored))))).get("v"))
                .isEqualTo(Json.read(stored));
    }

    private static Object shown(String stored) {
        return Views.shown(new JsonText(stored));
    }

    @Test
    void fields_are_values_of_their_own() {
        var fields = Json.storedFields("{\"a\":\"x\",\"b\":{\"c\":[1]},\"a\":\"y\"}");
        assertThat(Json.write(fields)).isEqualTo("{\"a\":\"y\",\"b\":{\"c\":[1]}}");
        assertThatThrownBy(() -> Json.storedFields("[]")).isInstanceOf(Json.Unreadable.class);
    }
}
