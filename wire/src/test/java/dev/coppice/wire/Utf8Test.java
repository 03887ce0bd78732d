package dev.coppice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Text that arrives in parts is cut between characters. */
class Utf8Test {
    private static final String SAMPLE = "a\u00e9\u8a08\ud83c\udf33z";

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    @ParameterizedTest
    @CsvSource({
        "'', 0",
        "61, 0",
        "c3, 1",
        "c3a9, 0",
        "61c3, 1",
        "e8, 1",
        "e8a8, 2",
        "e8a888, 0",
        "f0, 1",
        "f09f, 2",
        "f09f8c, 3",
        "f09f8cb3, 0",
        "f09f8cb3e8, 1",
        // Bytes that begin no character are not waited for.
        "80, 0",
        "8080, 0",
        "618080, 0",
        "80808080, 0",
        "c3a9a9, 0"
    })
    void an_incomplete_character_at_the_end_is_counted_in_bytes(String bytes, int incomplete) {
        var text = hex(bytes);
        assertThat(Utf8.incomplete(text, text.length)).isEqualTo(incomplete);
    }

    @ParameterizedTest
    @CsvSource({
        "'', 0",
        "61, 0",
        "a961, 1",
        "a88861, 2",
        "9f8cb361, 3",
        "9f8cb3b361, 3",
        "b3, 1",
        "c3a9, 0"
    })
    void the_rest_of_a_character_at_the_beginning_is_counted_in_bytes(String bytes, int continued) {
        var text = hex(bytes);
        assertThat(Utf8.continued(text, text.length)).isEqualTo(continued);
    }

    @Test
    void only_the_filled_part_of_a_buffer_counts() {
        assertThat(Utf8.incomplete(hex("61c3a9"), 2)).isEqualTo(1);
        assertThat(Utf8.continued(hex("a9a9a9"), 2)).isEqualTo(2);
    }

    @Test
    void wherever_a_text_is_cut_its_whole_characters_come_first() {
        var bytes = SAMPLE.getBytes(StandardCharsets.UTF_8);
        for (int cut = 0; cut <= bytes.length; cut++) {
            int whole = cut - Utf8.incomplete(bytes, cut);
            var first = new String(bytes, 0, whole, StandardCharsets.UTF_8);
            var rest = new String(bytes, whole, bytes.length - whole, StandardCharsets.UTF_8);
            assertThat(first + rest).as("cut at %d", cut).isEqualTo(SAMPLE);
        }
    }
}
