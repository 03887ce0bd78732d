package dev.coppice.callback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.callback.CallbackEvent.*;
import dev.coppice.callback.CallbackState.*;
import dev.coppice.kernel.LifecyclePage;
import dev.coppice.kernel.RunId;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

class CallbackLifecycleTest {
    private static final Instant T = Instant.parse("2026-01-01T00:00:00Z");
    private static final RunId RUN = new RunId("run_1");
    private static final JoinId JOIN = new JoinId("join_1");

    private static final List<CallbackState> STATES =
            List.of(
                    new Owed(T, T),
                    new Held(T, "x"),
                    new Carried(T, RUN),
                    new Delivered(T, RUN),
                    new Joined(T, JOIN),
                    new Dead(T, "x", null));

    private static final List<CallbackEvent> EVENTS =
            List.of(
                    new Sent(T, RUN),
                    new CarrierFinished(T),
                    new CarrierBroke(T, T),
                    new PutOff(T, T),
                    new HeldBack(T, "x"),
                    new Released(T),
                    new TakenIntoJoin(T, JOIN),
                    new GivenUp(T, "x"),
                    new AskedAgain(T));

    @Test
    void a_callback_moves_only_along_these_edges() {
        assertThat(table())
                .isEqualToNormalizingNewlines(
                        """
                        Owed      Sent            -> Carried
                        Owed      PutOff          -> Owed
                        Owed      HeldBack        -> Held
                        Owed      TakenIntoJoin   -> Joined
                        Owed      GivenUp         -> Dead
                        Owed      AskedAgain      -> Owed
                        Held      Released        -> Owed
                        Held      TakenIntoJoin   -> Joined
                        Held      GivenUp         -> Dead
                        Carried   CarrierFinished -> Delivered
                        Carried   CarrierBroke    -> Owed
                        Carried   HeldBack        -> Held
                        Carried   GivenUp         -> Dead
                        Dead      AskedAgain      -> Owed
                        """);
    }

    @Test
    void the_page_shows_the_same_edges() {
        LifecyclePage.matches("callback", "The life of a callback", table());
    }

    @Test
    void the_table_covers_every_state_and_event() {
        assertThat(STATES).hasSameSizeAs(LifecyclePage.cases(CallbackState.class));
        assertThat(EVENTS).hasSameSizeAs(LifecyclePage.cases(CallbackEvent.class));
    }

    private static String table() {
        var table = new StringBuilder();
        for (var state : STATES) {
            for (var event : EVENTS) {
                if (CallbackLifecycle.next(state, event)
                        instanceof CallbackLifecycle.Step.Moved(var to)) {
                    table.append(
                            "%-9s %-15s -> %s%n"
                                    .formatted(
                                            LifecyclePage.name(state),
                                            LifecyclePage.name(event),
                                            LifecyclePage.name(to)));
                }
            }
        }
        return table.toString();
    }
}
