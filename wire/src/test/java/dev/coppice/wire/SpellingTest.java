package dev.coppice.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {
    @ParameterizedTest
    @CsvSource({
        "stop, stop, 0",
        "STOP, stop, 0",
        "sotp, stop, 1",
        "stpo, stop, 1",
        "stp, stop, 1",
        "stopp, stop, 1",
        "stip, stop, 1",
        "tsop, stop, 1",
        "'', stop, 4",
        "stop, '', 4",
        "ab, ba, 1",
        "abc, cba, 2",
        "kitten, sitting, 3"
    })
    void each_letter_inserted_deleted_replaced_or_swapped_counts(
            String typed, String word, int letters) {
        assertThat(Spelling.distance(typed, word)).isEqualTo(letters);
    }

    @ParameterizedTest
    @CsvSource({
        // One letter of a short word, two of a longer one, three of a long one.
        "lst, list, true",
        "lts, list, false",
        "evnets, events, true",
        "evnst, events, true",
        "evt, events, false",
        "remvals, removals, true",
        "rmvls, removals, false",
        "blueprnt, blueprints, true",
        "bleprnt, blueprints, true",
        "bluprt, blueprints, false",
        // The beginning of a word means the word, from two letters on.
        "compl, completion, true",
        "st, status, true",
        "s, status, false",
        "'', rm, false"
    })
    void longer_words_may_have_more_mistakes(String typed, String word, boolean isNear) {
        assertThat(Spelling.isNear(typed, word)).isEqualTo(isNear);
    }
}
