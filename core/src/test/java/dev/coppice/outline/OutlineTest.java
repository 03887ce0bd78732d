package dev.coppice.outline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Trees are written as lines: two spaces for each level, a name, a state, and ! for a question. */
class OutlineTest {
    private static final Instant ASKED = Instant.parse("2026-01-01T00:00:00Z");
    private static final String PLAN =
            """
            plan running
              draft finished
                check failed
              review running!
            """;

    @Test
    void the_first_levels_are_open() {
        assertThat(shown(PLAN, levels(1))).containsExactly("plan", "  draft +2", "  review");
        assertThat(shown(PLAN, levels(2)))
                .containsExactly("plan", "  draft", "    check", "  review");
        assertThat(shown(PLAN, levels(0))).containsExactly("plan +4");
    }

    @Test
    void exceptions_win_over_levels() {
        var opened = new OutlineShape(1, Set.of("draft"), Set.of(), null, Set.of());
        assertThat(shown(PLAN, opened)).contains("    check");
        var closed = new OutlineShape(9, Set.of(), Set.of("draft"), null, Set.of());
        assertThat(shown(PLAN, closed)).containsExactly("plan", "  draft +2", "  review");
    }

    @Test
    void a_row_sums_up_what_is_below_it() {
        var all = new Outline(nodes(PLAN), levels(0)).all();
        assertThat(all).isEqualTo(new Tally(4, 2, 1, 1, 1, 0, ASKED));
    }

    @Test
    void a_filter_shows_what_is_above_and_opens_it() {
        var failed = new OutlineShape(0, Set.of(), Set.of(), null, Set.of("failed"));
        assertThat(shown(PLAN, failed)).containsExactly("plan", "  draft", "    check");
        var named = new OutlineShape(0, Set.of(), Set.of(), "REV", Set.of());
        assertThat(shown(PLAN, named)).containsExactly("plan", "  review");
        var asking = new OutlineShape(0, Set.of(), Set.of(), "", Set.of(OutlineShape.ASKING));
        assertThat(shown(PLAN, asking)).containsExactly("plan", "  review");
        var none = new OutlineShape(0, Set.of(), Set.of(), "nothing", Set.of());
        assertThat(shown(PLAN, none)).isEmpty();
    }

    @Test
    void more_than_twenty_siblings_fold_and_what_failed_or_asks_stays_visible() {
        var many = many(30, "finished");
        many.add("  bad failed");
        many.add("  ask running!");
        var text = String.join("\n", many);
        assertThat(shown(text, levels(1)))
                .containsExactly("plan", "  [unit 32: 1 failed, 1 asking]", "  bad", "  ask");
        assertThat(shown(String.join("\n", many(20, "finished")), levels(1))).hasSize(21);
    }

    @Test
    void an_open_fold_shows_its_siblings_one_level_deeper() {
        var text = String.join("\n", many(25, "finished"));
        var opened = new OutlineShape(1, Set.of("plan/unit"), Set.of(), null, Set.of());
        assertThat(shown(text, opened)).hasSize(27).contains("    unit-24");
    }

    @Test
    void a_sibling_with_a_failure_below_is_not_folded() {
        var many = many(25, "finished");
        many.add(3, "  parent finished");
        many.add(4, "    bad failed");
        assertThat(shown(String.join("\n", many), levels(1))).contains("  parent +2");
    }

    @Test
    void places_count_what_is_shown() {
        var many = many(30, "finished");
        many.add("  bad failed");
        var lines = new Outline(nodes(String.join("\n", many)), levels(1)).lines();
        assertThat(lines.get(1)).isInstanceOf(Line.OfFold.class);
        var bad = (Line.OfSession) lines.get(2);
        assertThat(List.of(bad.place(), bad.siblings())).containsExactly(2, 2);
    }

    @Test
    void the_next_one_is_found_in_closed_parts_and_from_the_start_again() {
        var outline = new Outline(nodes(PLAN), levels(0));
        assertThat(outline.next(Node::hasFailed, id("plan"))).contains(id("check"));
        assertThat(outline.next(Node::hasFailed, id("review"))).contains(id("check"));
        assertThat(outline.next(Node::hasFailed, id("check"))).contains(id("check"));
        assertThat(new Outline(nodes("plan running"), levels(0)).next(Node::hasFailed, id("plan")))
                .isEmpty();
    }

    @Test
    void what_is_above_a_session_and_its_fold_can_be_opened() {
        var many = many(30, "finished");
        many.add(21, "    deep finished");
        var outline = new Outline(nodes(String.join("\n", many)), levels(0));
        var above = outline.above(id("deep"));
        assertThat(above).containsExactlyInAnyOrder("plan", "plan/unit", "unit-19");
        var opened = Outline.opened(levels(0), above);
        var open = new Outline(nodes(String.join("\n", many)), opened);
        assertThat(open.placeOf(id("deep"))).contains(22);
        assertThat(outline.placeOf(id("deep"))).isEmpty();
    }

    private static OutlineShape levels(int levels) {
        return new OutlineShape(levels, Set.of(), Set.of(), null, Set.of());
    }

    private static List<String> many(int number, String state) {
        var lines = new ArrayList<>(List.of("plan running"));
        for (int i = 0; i < number; i++) lines.add("  unit-%d %s".formatted(i, state));
        return lines;
    }

    private static SessionId id(String name) {
        return new SessionId(name);
    }

    private static List<Node> nodes(String text) {
        return text.lines().map(OutlineTest::node).toList();
    }

    private static Node node(String line) {
        var words = line.strip().split(" ", -1);
        boolean isAsking = words[1].endsWith("!");
        int depth = (line.length() - line.stripLeading().length()) / 2;
        var state = words[1].replace("!", "");
        return new Node(
                id(words[0]), words[0], depth, state, "unit", 0, 0, isAsking ? ASKED : null);
    }

    private static List<String> shown(String text, OutlineShape shape) {
        return new Outline(nodes(text), shape)
                .lines().stream().map(OutlineTest::said).collect(Collectors.toList());
    }

    private static String said(Line line) {
        return "  ".repeat(line.level())
                + switch (line) {
                    case Line.OfSession of -> {
                        boolean isClosed = of.openness() == Line.Openness.CLOSED;
                        yield of.node().name() + (isClosed ? " +" + of.tree().all() : "");
                    }
                    case Line.OfFold of ->
                            "[%s %d: %d failed, %d asking]"
                                    .formatted(
                                            of.kind(),
                                            of.tally().all(),
                                            of.tally().failed(),
                                            of.tally().waiting());
                };
    }
}
