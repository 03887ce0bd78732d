package dev.coppice.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Random;

/** The size of a pattern is never less than that of its program. */
class PatternSizeTest {
    private static final List<String> PIECES =
            List.of(
                    "a",
                    "bc",
                    "(",
                    "(?:",
                    "(?<n>",
                    "(?i)",
                    ")",
                    "[",
                    "]",
                    "[^]a]",
                    "[[:alpha:]]",
                    "[[:",
                    "[a-z",
                    "{3}",
                    "{2,}",
                    "{,2}",
                    "{0,4}",
                    "{2,5}",
                    "{",
                    "}",
                    "*",
                    "+",
                    "?",
                    "|",
                    "\\Q",
                    "\\E",
                    "\\p{L}",
                    "\\pN",
                    "\\x{41}",
                    "\\x41",
                    "\\d",
                    "\\(",
                    "\\[",
                    "\\\\",
                    "\\b",
                    "^",
                    "$",
                    ".",
                    ",",
                    "-",
                    "\ud83d\ude00");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "^[a-zA-Z0-9._%+-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.){1,8}[a-z]{2,63}$",
                "^.{0,1000}$",
                "^[\\p{L}\\p{N} '-]{1,200}$",
                "^(?i)[a-z0-9_-]{1,255}(?:/[a-z0-9_-]+)*$",
                "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:Z|[+-]\\d{2}:\\d{2})$"
            })
    void a_common_pattern_is_within_the_limit(String pattern) {
        assertThat(PatternSize.steps(pattern))
                .isBetween((long) Pattern.compile(pattern).programSize(), 10_000L);
    }

    @Test
    void a_random_pattern_has_no_more_steps_than_are_counted() {
        var random = new Random(7);
        int compiled = 0;
        for (int i = 0; i < 50_000; i++) {
            var text = new StringBuilder();
            for (int n = 1 + random.nextInt(10); n > 0; n--) {
                text.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            var pattern = text.toString();
            long counted = PatternSize.steps(pattern);
            try {
                int steps = Pattern.compile(pattern).programSize();
                assertThat(counted).as(pattern).isGreaterThanOrEqualTo(steps);
                compiled++;
            } catch (PatternSyntaxException _) {
                // RE2/J refuses it, so its size does not matter.
            }
        }
        assertThat(compiled).isGreaterThan(5_000);
    }
}
