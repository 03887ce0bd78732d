package dev.coppice.removal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.LifecyclePage;
import dev.coppice.removal.RemovalEvent.*;
import dev.coppice.removal.RemovalState.*;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

class RemovalLifecycleTest {
    private static final Instant T = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = T.plusSeconds(60);

    private static final List<RemovalState> STATES =
            List.of(
                    new Fencing(T, null),
                    new Quiescing(T, null),
                    new Preserving(T, null),
                    new BackingUp(T, null),
                    new Detaching(T),
                    new Hiding(T),
                    new Hidden(T, LATER),
                    new Restoring(T),
                    new Undoing(T),
                    new TakingBack(T, "x"),
                    new Purging(T, null),
                    new Undone(T),
                    new TakenBack(T, "x"),
                    new Purged(T));

    private static final List<RemovalEvent> EVENTS =
            List.of(
                    new Fenced(T),
                    new WaitsFor(T, "x"),
                    new Quiesced(T),
                    new WorkPreserved(T),
                    new DetachBegan(T),
                    new HidingBegan(T),
                    new Announced(T, LATER),
                    new PurgeBegan(T),
                    new RowsDeleted(T),
                    new UndoAsked(T),
                    new RowsRestored(T),
                    new RestoreFailed(T),
                    new CancelBegan(T, "x"),
                    new Reverted(T));

    @Test
    void a_removal_moves_only_along_these_edges() {
        assertThat(table())
                .isEqualToNormalizingNewlines(
                        """
                        Fencing    Fenced         -> Quiescing
                        Fencing    WaitsFor       -> Fencing
                        Fencing    CancelBegan    -> TakingBack
                        Quiescing  WaitsFor       -> Quiescing
                        Quiescing  Quiesced       -> Preserving
                        Quiescing  CancelBegan    -> TakingBack
                        Preserving WaitsFor       -> Preserving
                        Preserving WorkPreserved  -> BackingUp
                        Preserving CancelBegan    -> TakingBack
                        BackingUp  WaitsFor       -> BackingUp
                        BackingUp  DetachBegan    -> Detaching
                        BackingUp  HidingBegan    -> Hiding
                        BackingUp  CancelBegan    -> TakingBack
                        Detaching  HidingBegan    -> Hiding
                        Hiding     Announced      -> Hidden
                        Hiding     PurgeBegan     -> Purging
                        Hidden     PurgeBegan     -> Purging
                        Hidden     UndoAsked      -> Undoing
                        Restoring  RowsRestored   -> Undoing
                        Restoring  RestoreFailed  -> Purging
                        Undoing    Reverted       -> Undone
                        TakingBack Reverted       -> TakenBack
                        Purging    WaitsFor       -> Purging
                        Purging    RowsDeleted    -> Purged
                        """);
    }

    /** After the undo window only a purge is possible. */
    @Test
    void an_undo_that_comes_too_late_is_refused() {
        assertThat(RemovalLifecycle.next(new Hidden(T, LATER), new UndoAsked(LATER)))
                .isInstanceOf(RemovalLifecycle.Step.Refused.class);
    }

    @Test
    void the_page_shows_the_same_edges() {
        LifecyclePage.matches("removal", "The life of a removal", table());
    }

    @Test
    void the_table_covers_every_state_and_event() {
        assertThat(STATES).hasSameSizeAs(LifecyclePage.cases(RemovalState.class));
        assertThat(EVENTS).hasSameSizeAs(LifecyclePage.cases(RemovalEvent.class));
    }

    private static String table() {
        var table = new StringBuilder();
        for (var state : STATES) {
            for (var event : EVENTS) {
                if (RemovalLifecycle.next(state, event)
                        instanceof RemovalLifecycle.Step.Moved(var next)) {
                    table.append(
                            "%-10s %-14s -> %s%n"
                                    .formatted(
                                            LifecyclePage.name(state),
                                            LifecyclePage.name(event),
                                            LifecyclePage.name(next)));
                }
            }
        }
        return table.toString();
    }
}
