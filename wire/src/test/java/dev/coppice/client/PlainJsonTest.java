package dev.coppice.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Random;

/** The hand-written reader gives the values that Jackson gives, or leaves a text to it. */
class PlainJsonTest {
    private static final int TEXTS = 20_000;
    private static final List<String> PIECES =
            List.of(
                    "{",
                    "}",
                    "[",
                    "]",
                    ",",
                    ":",
                    "\"a\"",
                    "\"\"",
                    "\"b\\n\\\"\\\\\"",
                    "\"\\u0041\"",
                    "0",
                    "-0",
                    "-1",
                    "12",
                    "012",
                    "1.5",
                    "1e3",
                    "-",
                    "999999999999999999",
                    "9223372036854775808",
                    "true",
                    "false",
                    "null",
                    "nul",
                    " ",
                    "\n",
                    "\"ä€😀\"",
                    "\"\t\"",
                    "\0",
                    "\\",
                    "\"");

    private static @Nullable JsonNode byJackson(String text) {
        try {
            return Json.read(text);
        } catch (Json.Unreadable _) {
            return null;
        }
    }

    private static @Nullable JsonNode byHand(String text) {
        var value = PlainJson.read(text);
        return value == null ? null : Reading.as(value, JsonNode.class);
    }

    @Test
    void texts_of_any_pieces_are_read_as_by_jackson_or_left_to_it() {
        var random = new Random(1);
        int read = 0;
        for (int i = 0; i < TEXTS; i++) {
            var text = new StringBuilder();
            for (int n = random.nextInt(9); n >= 0; n--) {
                text.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            var byHand = byHand(text.toString());
            if (byHand == null) continue;
            assertThat(byHand).as(text.toString()).isEqualTo(byJackson(text.toString()));
            read++;
        }
        assertThat(read).isGreaterThan(TEXTS / 20);
    }

    @Test
    void whole_documents_are_read() {
        var text = "{\"a\":[1,-2,{\"b\":null,\"c\":\"x\\ty\"}],\"d\":true,\"e\":{},\"f\":[]}";
        assertThat(byHand(text)).isNotNull().isEqualTo(byJackson(text));
        assertThat(PlainJson.read("[".repeat(90) + "]".repeat(90))).isNotNull();
    }

    @Test
    void deep_ones_are_left_to_jackson_which_refuses_them() {
        assertThat(PlainJson.read("[".repeat(200) + "]".repeat(200))).isNull();
        assertThat(PlainJson.read("[".repeat(1_000_000))).isNull();
    }
}
