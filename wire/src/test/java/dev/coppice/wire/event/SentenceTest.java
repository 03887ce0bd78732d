package dev.coppice.wire.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SentenceTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "I looked. Now I mend the parser.  | Now I mend the parser.",
                "All tests pass now. Done.         | All tests pass now. Done.",
                "Version 1.2.3 is out              | Version 1.2.3 is out",
                "## Summary~~- **Fixed** `Reach`   | Fixed Reach",
                "First line~```~                   | First line",
                "What next?~                       | What next?",
                "1. read it~2. write it            | write it",
                "~  ~--- ***                       | ''",
                "¿Qué más? Ya está todo listo.     | Ya está todo listo.",
                "終わりました。 次はテストを直します。全部です。 | 次はテストを直します。全部です。",
            })
    void the_last_sentence_stands_for_the_text(String text, String sentence) {
        assertThat(Sentence.last(text.replace('~', '\n'))).isEqualTo(sentence);
    }

    /** Any of these overflowed the stack of a pattern that repeats a group. */
    @ParameterizedTest
    @ValueSource(strings = {" ", "\u0000", "\u200b", "\u001b[1m", "1. ", "* ", "a. ", "_", "é "})
    void a_text_may_repeat_anything(String part) {
        for (var text : new String[] {part.repeat(4_000), "x" + part.repeat(4_000) + "y"}) {
            assertThat(Sentence.last(text)).hasSizeLessThanOrEqualTo(Sentence.CHARS_MAX);
            assertThat(Sentence.firstLine(text)).hasSizeLessThanOrEqualTo(Sentence.CHARS_MAX);
            assertThat(Sentence.lastLine(text)).hasSizeLessThanOrEqualTo(Sentence.CHARS_MAX);
            assertThat(Sentence.line(text)).hasSizeLessThanOrEqualTo(Sentence.CHARS_MAX);
        }
    }

    @Test
    void a_sentence_is_one_short_line_without_controls() {
        var hostile = "a\u001b[31m\u202eb\u0000c " + "é😀".repeat(100_000);
        for (var said : new String[] {Sentence.last(hostile), Sentence.line(hostile)}) {
            assertThat(said.length()).isLessThanOrEqualTo(Sentence.CHARS_MAX);
            assertThat(said.chars()).noneMatch(Character::isISOControl);
            assertThat(said).doesNotContain("\u202e").endsWith("…");
            assertThat(Character.isHighSurrogate(said.charAt(said.length() - 2))).isFalse();
        }
        assertThat(Sentence.lastLine("a\n\u001b[32m10 %\r 90 %\u001b[0m\n---\n")).isEqualTo("90 %");
        assertThat(Sentence.firstLine("\n# Title: *this*\nmore")).isEqualTo("Title: this");
    }
}
