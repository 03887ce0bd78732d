package dev.coppice.removal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;
import dev.coppice.word.Choice;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The percentages of a removal are those of the seed, and never decrease. */
class ProgressTest {
    private static final Instant T = Instant.parse("2026-01-01T00:00:00Z");

    private static final Choices.Preservation NOTHING =
            new Choices.Preservation(
                    Choice.Work.DISCARD,
                    Choice.Backup.NO,
                    Choice.Ignored.LIST,
                    Choice.Directories.MADE);

    private static Choices choices(
            Choice.Children children, Choice.Purge purge, Choices.Preservation preservation) {
        var careful = Choices.CAREFUL;
        return new Choices(
                children,
                careful.running(),
                careful.critical(),
                purge,
                careful.unreachable(),
                careful.deadline(),
                preservation);
    }

    private static Removal removal(RemovalState state, Choices choices) {
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

    private static int percent(RemovalState state, long told, Choice.Purge purge) {
        var choices = choices(Choice.Children.CASCADE, purge, Choices.Preservation.ALL);
        return removal(state, choices).percent(told, 4);
    }

    @Test
    void each_step_has_the_percentage_of_the_seed() {
        var now = Choice.Purge.NOW;
        assertThat(percent(new RemovalState.Quiescing(T, null), 0, now)).isEqualTo(15);
        assertThat(percent(new RemovalState.Preserving(T, null), 0, now)).isEqualTo(25);
        assertThat(percent(new RemovalState.BackingUp(T, null), 0, now)).isEqualTo(35);
        var told = new ArrayList<Integer>();
        for (int i = 0; i <= 4; i++) told.add(percent(new RemovalState.Hiding(T), i, now));
        assertThat(told).containsExactly(50, 57, 65, 72, 80);
        var empty = removal(new RemovalState.Hiding(T), Choices.CAREFUL);
        assertThat(empty.percent(0, 0)).isEqualTo(50);
        assertThat(percent(new RemovalState.Purging(T, null), 4, now)).isEqualTo(85);
        assertThat(percent(new RemovalState.Purged(T), 4, now)).isEqualTo(100);
    }

    /** The percentage must not suggest a step that was not requested. */
    @Test
    void a_step_that_was_not_requested_has_no_percentage_of_its_own() {
        var nothing = choices(Choice.Children.DETACH, Choice.Purge.LATER, NOTHING);
        var states =
                List.of(
                        new RemovalState.Preserving(T, null),
                        new RemovalState.BackingUp(T, null),
                        new RemovalState.Detaching(T),
                        new RemovalState.Hiding(T));
        assertThat(states)
                .extracting(state -> removal(state, nothing).percent(0, 4))
                .containsExactly(15, 15, 15, 85);
    }

    @ParameterizedTest
    @EnumSource
    void the_percentage_never_decreases(Choice.Purge purge) {
        var states = new ArrayList<RemovalState>();
        states.addAll(
                List.of(
                        new RemovalState.Fencing(T, null),
                        new RemovalState.Quiescing(T, null),
                        new RemovalState.Preserving(T, null),
                        new RemovalState.BackingUp(T, null),
                        new RemovalState.Detaching(T),
                        new RemovalState.Hiding(T)));
        if (purge == Choice.Purge.LATER) states.add(new RemovalState.Hidden(T, T));
        states.add(new RemovalState.Purging(T, null));
        states.add(new RemovalState.Purged(T));
        int before = 0;
        for (var state : states) {
            assertThat(percent(state, 0, purge)).as(state.word()).isGreaterThanOrEqualTo(before);
            before = percent(state, 4, purge);
        }
        // A cancelled removal is at 100, whatever it reached before.
        assertThat(percent(new RemovalState.TakingBack(T, "x"), 0, purge)).isEqualTo(100);
    }
}
