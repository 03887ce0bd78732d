package dev.coppice.removal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The percentages that the seed names, which never go back. */
class ProgressTest {
    private static final Instant T = Instant.parse("2026-01-01T00:00:00Z");

    private static Removal removal(RemovalState state, Choices.Purge purge) {
        var careful = Choices.CAREFUL;
        var choices =
                new Choices(
                        careful.children(),
                        careful.running(),
                        careful.critical(),
                        purge,
                        careful.unreachable(),
                        careful.deadline(),
                        careful.keeping());
        return new Removal(
                new RemovalId("rem_1"),
                new Removal.Top(new SessionId("top"), "top", null),
                choices,
                new Removal.Order("me", null, false, null),
                new Removal.Taken(4, 0, 0, 0),
                "digest",
                state,
                new Removal.Times(T, null, null, null),
                null);
    }

    private static int percent(RemovalState state, long told, Choices.Purge purge) {
        return removal(state, purge).percent(told, 4);
    }

    @Test
    void each_step_has_the_seeds_number() {
        var now = Choices.Purge.NOW;
        assertThat(percent(new RemovalState.Quiescing(T, null), 0, now)).isEqualTo(15);
        assertThat(percent(new RemovalState.Preserving(T, null), 0, now)).isEqualTo(25);
        assertThat(percent(new RemovalState.BackingUp(T, null), 0, now)).isEqualTo(35);
        var told = new ArrayList<Integer>();
        for (int i = 0; i <= 4; i++) told.add(percent(new RemovalState.Hiding(T), i, now));
        assertThat(told).containsExactly(50, 57, 65, 72, 80);
        assertThat(removal(new RemovalState.Hiding(T), now).percent(0, 0)).isEqualTo(50);
        assertThat(percent(new RemovalState.Purging(T, null), 4, now)).isEqualTo(85);
        assertThat(percent(new RemovalState.Purged(T), 4, now)).isEqualTo(100);
    }

    @ParameterizedTest
    @EnumSource
    void it_never_goes_back_on_any_way_to_the_end(Choices.Purge purge) {
        var states = new ArrayList<RemovalState>();
        states.addAll(
                List.of(
                        new RemovalState.Fencing(T, null),
                        new RemovalState.Quiescing(T, null),
                        new RemovalState.Preserving(T, null),
                        new RemovalState.BackingUp(T, null),
                        new RemovalState.Detaching(T),
                        new RemovalState.Hiding(T)));
        if (purge == Choices.Purge.LATER) states.add(new RemovalState.Hidden(T, T));
        states.add(new RemovalState.Purging(T, null));
        states.add(new RemovalState.Purged(T));
        int before = 0;
        for (var state : states) {
            assertThat(percent(state, 0, purge)).as(state.word()).isGreaterThanOrEqualTo(before);
            before = percent(state, 4, purge);
        }
        // Whatever it had come to when it was called off.
        assertThat(percent(new RemovalState.TakingBack(T, "x"), 0, purge)).isEqualTo(100);
    }
}
