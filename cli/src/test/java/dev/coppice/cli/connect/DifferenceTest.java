package dev.coppice.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The difference that is shown before a file of the user changes. */
class DifferenceTest {
    private static List<String> letters(String text) {
        return List.of(text.split("", -1));
    }

    @ParameterizedTest
    @CsvSource({
        "abc, abc, ''",
        "abc, abxc, + x",
        "abc, ac, - b",
        "abc, axc, '- b,+ x'",
        "abc, xabc, + x",
        "abc, cab, '+ c,- c'",
        "abcd, bd, '- a,- c'"
    })
    void only_the_lines_that_differ_are_shown(String before, String after, String shown) {
        var lines = Difference.of(letters(before), letters(after));
        assertThat(String.join(",", lines)).isEqualTo(shown);
    }

    @Test
    void a_new_file_is_all_new_and_a_deleted_one_all_gone() {
        assertThat(Difference.of(List.of(), List.of("a", "b"))).containsExactly("+ a", "+ b");
        assertThat(Difference.of(List.of("a", "b"), List.of())).containsExactly("- a", "- b");
    }

    @Test
    void files_too_large_to_compare_are_counted() {
        var before = new ArrayList<>(Collections.nCopies(2001, "x"));
        var after = new ArrayList<>(Collections.nCopies(2000, "y"));
        assertThat(Difference.of(before, after)).containsExactly("2001 lines become 2000");
    }
}
