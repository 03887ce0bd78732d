package dev.coppice.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.held.HeldStore;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.session.ChooseTrees.Wanted;
import dev.coppice.word.SessionType;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

class ChooseTreesTest {
    private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
    private static final Duration NO_AGE = Duration.ZERO;

    private static Session session(String name, @Nullable Session parent, boolean ended) {
        var id = new SessionId(name);
        var place =
                parent == null
                        ? Place.ofRoot(id, name)
                        : parent.place().ofChild(parent.id(), parent.name(), name);
        var times = Times.createdAt(NOW.minusSeconds(60));
        var at = NOW.minusSeconds(10);
        SessionState state =
                ended ? new SessionState.Finished(at, "done") : new SessionState.Pending(NOW);
        return new Session(
                id,
                name,
                SessionType.MAIN,
                place,
                Profile.EMPTY,
                state,
                times.after(state),
                Limits.NONE,
                Standing.NEW);
    }

    private static final Session PLAN = session("plan", null, true);
    private static final Session DRAFT = session("test-draft-old", PLAN, true);
    private static final Session CHECK = session("test-check", PLAN, false);
    private static final Session LEAF = session("leaf", DRAFT, true);
    private final HeldStore store = new HeldStore(_ -> {});

    @BeforeEach
    void grow() {
        store.write(() -> {
            for (var one : List.of(PLAN, DRAFT, LEAF, CHECK)) store.sessions().add(one);
            return 0;
        });
    }

    /** The names on all pages of one session each. */
    private List<String> chosen(Wanted wanted) {
        var found = new ArrayList<String>();
        var cursor = Cursor.first(1);
        while (true) {
            var at = cursor;
            var page = store.read(() -> ChooseTrees.tops(store.sessions(), wanted, NOW, at));
            page.items().forEach(one -> found.add(one.name()));
            if (page.next() == null) return found.stream().sorted().toList();
            cursor = new Cursor(page.next(), 1);
        }
    }

    private static Wanted wanted(boolean ended, Duration age, @Nullable String names) {
        return new Wanted(ended, age, names, null, null);
    }

    private static Wanted within(@Nullable Session below, @Nullable Session own) {
        return new Wanted(
                false,
                NO_AGE,
                null,
                below == null ? null : below.id(),
                own == null ? null : own.id());
    }

    @Test
    void the_topmost_matches_are_chosen_without_their_descendants() {
        assertThat(chosen(wanted(false, NO_AGE, null))).containsExactly("plan");
        assertThat(chosen(wanted(false, NO_AGE, "test")))
                .containsExactly("test-check", "test-draft-old");
        assertThat(chosen(within(DRAFT, null))).containsExactly("leaf");
    }

    @Test
    void a_caller_chooses_among_what_it_sees() {
        assertThat(chosen(within(null, DRAFT))).containsExactly("test-draft-old");
        assertThat(chosen(within(DRAFT, DRAFT))).containsExactly("leaf");
        assertThat(chosen(within(PLAN, DRAFT))).isEmpty();
    }

    @Test
    void a_page_looks_at_a_bounded_number_of_sessions() {
        store.write(() -> {
            for (int i = 0; i < 1_000; i++) {
                store.sessions().add(session("other" + i, null, false));
            }
            return 0;
        });
        var none = wanted(false, NO_AGE, "nothing");
        var first =
                store.read(() -> ChooseTrees.tops(store.sessions(), none, NOW, Cursor.first(9)));
        assertThat(first.items()).isEmpty();
        assertThat(first.next()).isNotNull();
        var second =
                store.read(() ->
                        ChooseTrees.tops(store.sessions(), none, NOW, new Cursor(first.next(), 9)));
        assertThat(second.next()).isNull();
    }

    @Test
    void a_tree_with_a_live_session_does_not_count_as_ended() {
        assertThat(chosen(wanted(true, NO_AGE, null))).containsExactly("test-draft-old");
        assertThat(chosen(wanted(true, Duration.ofSeconds(30), null))).isEmpty();
    }

    @Test
    void a_star_matches_anything_and_a_pattern_with_stars_matches_the_whole_name() {
        assertThat(chosen(wanted(false, NO_AGE, "test-*-old"))).containsExactly("test-draft-old");
        assertThat(chosen(wanted(false, NO_AGE, "*eck"))).containsExactly("test-check");
        assertThat(chosen(wanted(false, NO_AGE, "*est-check*est-check"))).isEmpty();
        assertThat(chosen(wanted(false, NO_AGE, "*a".repeat(90) + "*b"))).isEmpty();
    }
}
