package dev.coppice.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Tables as terminals of several widths, and pipes, show them. */
class TableTest {
    private static final List<String> HEADINGS = List.of("NAME", "STATE", "REASON");
    private static final List<List<String>> ROWS =
            List.of(
                    List.of("plan", "● running", ""),
                    List.of(
                            "a-name-that-is-rather-long",
                            "✗ failed",
                            "the program exited with 1 because of something that takes long to"
                                    + " say"),
                    List.of("計画計画計画計画計画", "◐ idle", "✅ 済み"));

    static Console console(Map<String, String> environment) {
        var out = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        return new Console(environment, new ByteArrayInputStream(new byte[0]), out, out);
    }

    static Console terminal(int columns) {
        var size = Integer.toString(columns);
        return console(Map.of("COPPICE_TERMINAL", "012", "LINES", "24", "COLUMNS", size));
    }

    private static List<String> lines(int columns) {
        return Table.of(HEADINGS, ROWS, terminal(columns)).lines().toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 20, 40, 80, 160})
    void no_line_is_wider_than_the_terminal(int columns) {
        assertThat(lines(columns))
                .hasSize(4)
                .allSatisfy(line -> assertThat(Width.of(line)).isLessThanOrEqualTo(columns));
    }

    @Test
    void at_forty_columns_the_widest_column_gives_first() {
        assertThat(lines(40))
                .containsExactly(
                        "NAME            STATE      REASON",
                        "plan            ● running",
                        "a-name-that-i…  ✗ failed   the program …",
                        "計画計画計画…   ◐ idle     ✅ 済み");
    }

    @Test
    void at_eighty_columns_only_the_reason_is_cut() {
        assertThat(lines(80))
                .containsExactly(
                        "NAME                        STATE      REASON",
                        "plan                        ● running",
                        "a-name-that-is-rather-long  ✗ failed   the program exited with 1 because"
                                + " of som…",
                        "計画計画計画計画計画        ◐ idle     ✅ 済み");
    }

    @Test
    void a_wide_terminal_and_a_pipe_show_everything() {
        var whole = Table.of(HEADINGS, ROWS, terminal(160));
        assertThat(whole).contains("something that takes long to say\n").doesNotContain("…");
        assertThat(Table.of(HEADINGS, ROWS, console(Map.of("COLUMNS", "20")))).isEqualTo(whole);
    }

    @Test
    void no_column_is_cut_so_short_that_it_says_nothing() {
        assertThat(lines(20)).contains("plan    ● run…", "a-nam…  ✗ fai…  the…");
    }

    @Test
    void a_line_does_not_end_with_spaces() {
        assertThat(lines(80)).noneMatch(line -> line.endsWith(" "));
    }

    @Test
    void a_table_without_rows_has_its_headings() {
        assertThat(Table.of(HEADINGS, List.of(), terminal(80))).isEqualTo("NAME  STATE  REASON\n");
    }
}
