package dev.coppice.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;
import dev.coppice.session.ChooseTrees.Wanted;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
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
    private static final List<Session> ALL = List.of(LEAF, CHECK, DRAFT, PLAN);

    private static List<String> chosen(Wanted wanted) {
        return ChooseTrees.tops(ALL, wanted, NOW).stream().map(Session::name).sorted().toList();
    }

    @Test
    void the_topmost_matches_are_chosen_without_their_descendants() {
        assertThat(chosen(new Wanted(false, NO_AGE, null, null))).containsExactly("plan");
        assertThat(chosen(new Wanted(false, NO_AGE, "test", null)))
                .containsExactly("test-check", "test-draft-old");
        assertThat(chosen(new Wanted(false, NO_AGE, null, DRAFT.id()))).containsExactly("leaf");
    }

    @Test
    void a_tree_with_a_live_session_does_not_count_as_ended() {
        assertThat(chosen(new Wanted(true, NO_AGE, null, null))).containsExactly("test-draft-old");
        assertThat(chosen(new Wanted(true, Duration.ofSeconds(30), null, null))).isEmpty();
    }

    @Test
    void a_star_matches_anything_and_a_pattern_with_stars_matches_the_whole_name() {
        assertThat(chosen(new Wanted(false, NO_AGE, "test-*-old", null)))
                .containsExactly("test-draft-old");
        assertThat(chosen(new Wanted(false, NO_AGE, "*eck", null))).containsExactly("test-check");
        assertThat(chosen(new Wanted(false, NO_AGE, "*est-check*est-check", null))).isEmpty();
        assertThat(chosen(new Wanted(false, NO_AGE, "*a".repeat(90) + "*b", null))).isEmpty();
    }
}
