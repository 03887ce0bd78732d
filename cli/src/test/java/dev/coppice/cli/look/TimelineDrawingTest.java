package dev.coppice.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.cli.engine.Width;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.List;
import java.util.TimeZone;

/** When sessions worked, as bars on one scale. */
class TimelineDrawingTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:01:40Z");
    private final TimeZone before = TimeZone.getDefault();

    private static SessionView session(
            int depth, String name, String state, String from, String to) {
        var times = from.isEmpty() ? "" : ",\"started_at\":\"2026-11-23T%sZ\"".formatted(from);
        if (!to.isEmpty()) times += ",\"ended_at\":\"2026-11-23T%sZ\"".formatted(to);
        return TreeDrawingTest.session(depth, name, state, times);
    }

    private static final List<SessionView> TREE =
            List.of(
                    session(0, "plan", "running", "12:00:00", ""),
                    session(1, "draft", "finished", "12:00:00", "12:00:50"),
                    session(1, "figure", "failed", "12:00:50", "12:01:39"),
                    session(1, "later", "pending", "", ""));

    @BeforeEach
    void begin() {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    }

    @AfterEach
    void end() {
        TimeZone.setDefault(before);
    }

    private static List<String> lines(int columns, @Nullable Instant since) {
        return new TimelineDrawing(columns, NOW)
                .lines(TREE, since).stream().map(TreeDrawing.Line::text).toList();
    }

    @Test
    void at_sixty_columns() {
        assertThat(lines(60, null))
                .containsExactly(
                        "         12:00:00                12:01:40",
                        "plan     ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━▶ ● running   1m40s",
                        "  draft  ━━━━━━━━━━━━━━━━━                ✓ finished  50s",
                        "  figure                 ━━━━━━━━━━━━━━━✗ ✗ failed    49s");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20, 40, 80, 160})
    void no_line_is_wider_than_the_terminal(int columns) {
        assertThat(lines(columns, null))
                .allSatisfy(line -> assertThat(Width.of(line)).isLessThanOrEqualTo(columns));
    }

    @Test
    void a_very_wide_terminal_is_not_filled() {
        assertThat(lines(400, null))
                .allSatisfy(line -> assertThat(Width.of(line)).isLessThanOrEqualTo(120));
    }

    @Test
    void what_ended_before_the_time_is_left_out_and_the_rest_is_cut() {
        assertThat(lines(60, Instant.parse("2026-11-23T12:01:00Z")))
                .hasSize(3)
                .satisfies(lines -> {
                    assertThat(lines.get(0)).contains("12:01:00").contains("12:01:40");
                    assertThat(lines.get(1)).startsWith("plan ").endsWith("40s");
                    assertThat(lines.get(2)).startsWith("  figure ").endsWith("39s");
                });
    }

    @Test
    void nothing_is_drawn_if_nothing_worked() {
        assertThat(lines(60, NOW.plusSeconds(1))).isEmpty();
    }

    @Test
    void a_session_that_ended_when_it_started_has_a_bar() {
        var one = session(0, "quick", "finished", "12:00:00", "12:00:00");
        var lines = new TimelineDrawing(60, NOW).lines(List.of(one), null);
        assertThat(lines.getLast().text()).contains("━").endsWith("0ms");
    }

    @Test
    void over_days_the_scale_has_dates() {
        var long_ =
                TreeDrawingTest.session(
                        0, "long", "idle", ",\"started_at\":\"2026-11-20T12:00:00Z\"");
        var lines = new TimelineDrawing(80, NOW).lines(List.of(long_), null);
        assertThat(lines.getFirst().text()).contains("11-20 12:00").contains("11-23 12:01");
        assertThat(lines.getLast().text()).contains("┅");
    }
}
