package dev.coppice.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

/** Line 6 of the command line's promise: a tree that is higher than the terminal is paged. */
class PagesTest {
    private static List<TreeDrawing.Line> tree(String root, int sessions) {
        return IntStream.range(0, sessions)
                .mapToObj(i -> new TreeDrawing.Line(i == 0 ? root : root + "-" + i, "running"))
                .toList();
    }

    private static List<String> page(Pages pages, int number) {
        return pages.page(number).stream().map(TreeDrawing.Line::text).toList();
    }

    @Test
    void line_6_a_tree_that_fits_is_one_page_without_a_footer() {
        var pages = new Pages(List.of(tree("plan", 5)), 24);
        assertThat(page(pages, 0)).hasSize(5);
        assertThat(pages.footer(0)).isEmpty();
        assertThat(page(new Pages(List.of(), 24), 0)).isEmpty();
    }

    @Test
    void line_6_the_root_stays_on_top_of_every_page_and_no_session_is_left_out() {
        for (int rows : new int[] {1, 5, 10, 24}) {
            var pages = new Pages(List.of(tree("plan", 40)), rows);
            var shown = new java.util.LinkedHashSet<String>();
            int number = 0;
            while (shown.size() < 40 && number < 100) {
                var page = page(pages, number);
                assertThat(page.getFirst()).isEqualTo("plan");
                assertThat(page).hasSizeLessThan(Math.max(rows, 4));
                assertThat(pages.footer(number)).contains("page " + (number + 1) + " of ");
                shown.addAll(page);
                number++;
            }
            assertThat(shown).hasSize(40);
            assertThat(page(pages, number)).isEqualTo(page(pages, 0));
        }
    }

    @Test
    void line_6_a_page_that_begins_with_another_tree_has_only_its_own_root() {
        var pages = new Pages(List.of(tree("one", 8), tree("two", 8)), 10);
        assertThat(page(pages, 1)).startsWith("two").doesNotContain("one");
    }
}
