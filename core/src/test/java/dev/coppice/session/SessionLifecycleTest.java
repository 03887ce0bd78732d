package dev.coppice.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.LifecyclePage;
import dev.coppice.session.SessionEvent.*;
import dev.coppice.session.SessionState.*;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

class SessionLifecycleTest {
    static final Instant T = Instant.EPOCH;

    static final List<SessionState> STATES =
            List.of(
                    new Pending(T),
                    new Running(T),
                    new Idle(T),
                    new Stopping(T, T, "x"),
                    new Finished(T, "x"),
                    new Failed(T, "x"),
                    new Stopped(T, "x"),
                    new TimedOut(T, "x"),
                    new Lost(T, "x"));
    static final List<SessionEvent> EVENTS =
            List.of(
                    new RunQueued(T),
                    new RunBegan(T),
                    new TurnEnded(T),
                    new StopAsked(T, T, "x"),
                    new Completed(T, "x"),
                    new Broke(T, "x"),
                    new StopConfirmed(T, "x"),
                    new RanOutOfTime(T, "x"),
                    new RunnerVanished(T, "x"));

    @Test
    void a_session_moves_only_along_these_edges() {
        assertThat(table())
                .isEqualToNormalizingNewlines(
                        """
                        Pending   RunQueued      -> Pending
                        Pending   RunBegan       -> Running
                        Pending   StopAsked      -> Stopping
                        Pending   Broke          -> Failed
                        Pending   StopConfirmed  -> Stopped
                        Pending   RanOutOfTime   -> TimedOut
                        Pending   RunnerVanished -> Lost
                        Running   TurnEnded      -> Idle
                        Running   StopAsked      -> Stopping
                        Running   Completed      -> Finished
                        Running   Broke          -> Failed
                        Running   StopConfirmed  -> Stopped
                        Running   RanOutOfTime   -> TimedOut
                        Running   RunnerVanished -> Lost
                        Idle      RunQueued      -> Pending
                        Idle      RunBegan       -> Running
                        Idle      StopAsked      -> Stopping
                        Idle      Completed      -> Finished
                        Idle      Broke          -> Failed
                        Idle      StopConfirmed  -> Stopped
                        Idle      RanOutOfTime   -> TimedOut
                        Idle      RunnerVanished -> Lost
                        Stopping  Completed      -> Finished
                        Stopping  Broke          -> Failed
                        Stopping  StopConfirmed  -> Stopped
                        Stopping  RanOutOfTime   -> TimedOut
                        Stopping  RunnerVanished -> Lost
                        Finished  RunQueued      -> Pending
                        Failed    RunQueued      -> Pending
                        Stopped   RunQueued      -> Pending
                        TimedOut  RunQueued      -> Pending
                        Lost      RunQueued      -> Pending
                        """);
    }

    @Test
    void the_page_shows_the_same_edges() {
        LifecyclePage.matches("session", "The life of a session", table());
    }

    @Test
    void the_table_covers_every_state_and_event() {
        assertThat(STATES).hasSameSizeAs(LifecyclePage.cases(SessionState.class));
        assertThat(EVENTS).hasSameSizeAs(LifecyclePage.cases(SessionEvent.class));
    }

    @Test
    void every_state_has_its_word() {
        assertThat(STATES.stream().map(StateWord::of)).containsExactlyElementsOf(StateWord.ALL);
        assertThat(STATES.stream().filter(SessionState::isAlive).map(StateWord::of))
                .containsExactlyElementsOf(StateWord.ALIVE);
    }

    private static String table() {
        var table = new StringBuilder();
        for (var state : STATES) {
            for (var event : EVENTS) {
                if (SessionLifecycle.next(state, event)
                        instanceof SessionLifecycle.Step.Moved(var to)) {
                    table.append(
                            "%-9s %-14s -> %s%n"
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
