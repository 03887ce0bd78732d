package dev.coppice.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.cli.engine.Width;
import dev.coppice.wire.Json;
import dev.coppice.wire.look.OutlineCalls.RowView;
import dev.coppice.wire.look.OutlineCalls.TallyView;
import dev.coppice.wire.session.SessionView;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A tree, as terminals of several widths show it. */
class TreeDrawingTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

    static SessionView session(int depth, String name, String state, String more) {
        return Json.as(
                """
                {"session_id":"%s","session_name":"%s","depth":%d,"state":"%s",
                 "created_at":"2026-11-23T11:00:00Z"%s}
                """
                        .formatted(name, name, depth, state, more),
                SessionView.class);
    }

    private static String headline(String kind, String text) {
        return ",\"headline\":{\"kind\":\"%s\",\"text\":\"%s\",\"at\":\"x\"}".formatted(kind, text);
    }

    private static String at(String field, String time) {
        return ",\"%s\":\"2026-11-23T%sZ\"".formatted(field, time);
    }

    private static final List<SessionView> TREE =
            List.of(
                    session(0, "plan", "running", at("started_at", "11:58:30")),
                    session(
                            1,
                            "draft",
                            "finished",
                            at("started_at", "11:58:00") + at("ended_at", "11:59:05")),
                    session(
                            2,
                            "figure",
                            "failed",
                            at("ended_at", "11:00:01") + headline("failed", "exit\\t1\\nmore")),
                    session(
                            1,
                            "review-of-everything-that-was-written-so-far",
                            "pending",
                            ",\"frozen_at\":\"x\""));

    /** The rows of sessions that are sorted depth first. */
    static List<RowView> rows(List<SessionView> sessions) {
        var rows = new ArrayList<RowView>();
        int top = sessions.getFirst().depth();
        for (int i = 0; i < sessions.size(); i++) {
            rows.add(row(sessions.get(i), top, goesOn(sessions, i), TALLY));
        }
        return rows;
    }

    private static final TallyView TALLY = new TallyView(1, 0, 0, 0, 0, 0, null);

    private static RowView row(SessionView session, int top, boolean goesOn, TallyView tally) {
        int siblings = goesOn ? 2 : 1;
        int level = session.depth() - top;
        return new RowView("s", level, 1, siblings, "leaf", 0, tally, 0, 0, null, session, null);
    }

    private static boolean goesOn(List<SessionView> sessions, int at) {
        int depth = sessions.get(at).depth();
        for (var next : sessions.subList(at + 1, sessions.size())) {
            if (next.depth() <= depth) return next.depth() == depth;
        }
        return false;
    }

    private static List<TreeDrawing.Line> drawn(List<SessionView> sessions) {
        var read = new Trees.Read(rows(sessions), 0);
        return new TreeDrawing(80, NOW).trees(List.of(read)).getFirst();
    }

    private static List<String> lines(int columns, List<SessionView> sessions) {
        return new TreeDrawing(columns, NOW)
                .trees(List.of(new Trees.Read(rows(sessions), 0))).getFirst().stream()
                        .map(TreeDrawing.Line::text)
                        .toList();
    }

    @Test
    void a_parent_shows_the_sum_of_what_is_below_it_and_a_fold_that_of_its_kind() {
        var parent = session(0, "plan", "finished", at("started_at", "11:59:00"));
        var below = new TallyView(9, 2, 1, 2, 4, 1, null);
        var fold = new RowView("f", 1, 1, 1, "closed", 40, below, 0, 0, "map", null, null);
        var rows = List.of(row(parent, 0, false, below), fold);
        assertThat(
                        new TreeDrawing(80, NOW)
                                .trees(List.of(new Trees.Read(rows, 7))).getFirst().stream()
                                        .map(TreeDrawing.Line::text))
                .containsExactly(
                        "plan          ✓ finished  1m00s  2 failed, 1 asking, 1 stopped below",
                        "└─ 9 × map    ● running          1 at work, 1 asking, 2 failed, 1 stopped,"
                                + " 4 fi…",
                        "… 7 more; name a session of it to see what is below");
    }

    @Test
    void at_eighty_columns() {
        assertThat(lines(80, TREE))
                .containsExactly(
                        "plan                              ● running   1m30s",
                        "├─ draft                          ✓ finished  1m05s",
                        "│  └─ figure                      ✗ failed    1s     exit 1",
                        "└─ review-of-everything-that-wa…  ○ pending   1h00m  frozen");
    }

    @Test
    void at_forty_columns() {
        assertThat(lines(40, TREE))
                .containsExactly(
                        "plan              ● running   1m30s",
                        "├─ draft          ✓ finished  1m05s",
                        "│  └─ figure      ✗ failed    1s     ex…",
                        "└─ review-of-ev…  ○ pending   1h00m  fr…");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 12, 20, 40, 80, 160})
    void no_line_is_wider_than_the_terminal(int columns) {
        var wide = new ArrayList<>(TREE);
        wide.add(session(1, "計画計画計画計画計画計画計画計画計画計画計画計画", "lost", headline("asks", "✅".repeat(90))));
        assertThat(lines(columns, wide))
                .allSatisfy(line -> assertThat(Width.of(line)).isLessThanOrEqualTo(columns));
    }

    @Test
    void below_many_levels_the_level_is_a_number() {
        var deep = new ArrayList<SessionView>();
        for (int depth = 3; depth < 12; depth++)
            deep.add(session(depth, "s" + depth, "running", ""));
        assertThat(lines(80, deep)).element(6).asString().startsWith("               └─ s9 ");
        assertThat(lines(80, deep)).last().asString().startsWith("⋯8 s11 ");
    }

    @Test
    void a_subtree_is_drawn_from_its_own_top() {
        assertThat(lines(80, TREE.subList(1, 3))).first().asString().startsWith("draft ");
        assertThat(lines(80, TREE.subList(1, 3))).last().asString().startsWith("└─ figure ");
    }

    @Test
    void only_the_state_is_coloured() {
        var line = drawn(TREE).get(2);
        assertThat(line.coloured()).contains(" \u001b[31m✗ failed\u001b[0m    1s     exit 1");
    }

    /** A reason is text of an agent, and may look like the state. */
    @Test
    void a_reason_that_looks_like_a_state_is_not_coloured() {
        var odd = session(0, "a", "failed", headline("failed", "✗ failed"));
        var line = drawn(List.of(odd)).getFirst();
        assertThat(line.coloured()).endsWith("  ✗ failed");
    }
}
