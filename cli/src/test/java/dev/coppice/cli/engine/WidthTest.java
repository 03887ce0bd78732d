package dev.coppice.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WidthTest {
    @Test
    void wide_characters_take_two_columns_and_combining_marks_none() {
        assertThat(Width.of("plan")).isEqualTo(4);
        assertThat(Width.of("計画")).isEqualTo(4);
        assertThat(Width.of("a\u0308")).isEqualTo(1);
        assertThat(Width.of("\ud83d\ude80")).isEqualTo(2);
        assertThat(Width.of("✅ ❌ ⚡ ⏳ ⭐")).isEqualTo(14);
        assertThat(Width.of("✓ ✗ ● ◐ ■ → …")).isEqualTo(13);
    }

    @Test
    void a_cut_text_fits_and_never_ends_within_a_character() {
        for (var text : new String[] {"planning", "計画計画計画", "a\ud83d\ude80b\ud83d\ude80c"}) {
            for (int columns = 0; columns < 12; columns++) {
                var cut = Width.cut(text, columns);
                assertThat(Width.of(cut))
                        .as("%s in %d", text, columns)
                        .isLessThanOrEqualTo(columns);
                assertThat(cut).doesNotContain("\ufffd");
            }
        }
        assertThat(Width.padded("計", 4)).isEqualTo("計  ");
    }
}
