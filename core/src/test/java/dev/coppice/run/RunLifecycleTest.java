package dev.coppice.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.LifecyclePage;
import dev.coppice.kernel.RunnerId;
import dev.coppice.run.RunEvent.*;
import dev.coppice.run.RunState.*;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

class RunLifecycleTest {
    static final Instant T = Instant.EPOCH;
    static final Instant LATER = T.plusSeconds(60);
    static final Holder BY = new Holder(new RunnerId("r1"), 1);
    static final Holder OTHER = new Holder(new RunnerId("r2"), 1);
    static final Holder EARLIER = new Holder(new RunnerId("r1"), 0);
    static final Lease LEASE = new Lease(BY, LATER);

    static final List<RunState> STATES =
            List.of(
                    new Queued(T),
                    new Hooked(T),
                    new Claimed(LEASE, T),
                    new Running(LEASE, T),
                    new Stopping(LEASE, T, LATER, "x"),
                    new Finished(T, "x", BY),
                    new Failed(T, "x", BY),
                    new Stopped(T, "x", BY),
                    new TimedOut(T, "x", BY),
                    new Lost(T, "x", BY));

    static List<RunEvent> events(Holder by, Instant at) {
        return List.of(
                new Taken(LEASE, at),
                new ClaimLapsed(at, "x"),
                new Confirmed(by, LATER, at),
                new Renewed(by, LATER, at),
                new Completed(by, at),
                new Broke(by, "x", at),
                new StopAsked(at, LATER, "x"),
                new StopConfirmed(by, "x", at),
                new RanOutOfTime(at, "x"),
                new RunnerVanished(at, "x"),
                new HookPassed(at),
                new HookBlocked(at, "x"));
    }

    @Test
    void a_run_moves_only_along_these_edges() {
        assertThat(table(BY, T))
                .isEqualToNormalizingNewlines(
                        """
                        Queued    Taken          -> Claimed
                        Queued    StopAsked      -> Stopped
                        Queued    RanOutOfTime   -> TimedOut
                        Hooked    StopAsked      -> Stopped
                        Hooked    RanOutOfTime   -> TimedOut
                        Hooked    HookPassed     -> Queued
                        Hooked    HookBlocked    -> Failed
                        Claimed   ClaimLapsed    -> Queued
                        Claimed   Confirmed      -> Running
                        Claimed   Renewed        -> Claimed
                        Claimed   Broke          -> Failed
                        Claimed   StopAsked      -> Stopping
                        Claimed   StopConfirmed  -> Stopped
                        Claimed   RunnerVanished -> Queued
                        Running   Renewed        -> Running
                        Running   Completed      -> Finished
                        Running   Broke          -> Failed
                        Running   StopAsked      -> Stopping
                        Running   StopConfirmed  -> Stopped
                        Running   RanOutOfTime   -> TimedOut
                        Running   RunnerVanished -> Lost
                        Stopping  Renewed        -> Stopping
                        Stopping  Completed      -> Finished
                        Stopping  Broke          -> Failed
                        Stopping  StopConfirmed  -> Stopped
                        Stopping  RanOutOfTime   -> TimedOut
                        Stopping  RunnerVanished -> Lost
                        """);
    }

    @Test
    void the_page_shows_the_same_edges() {
        LifecyclePage.matches("run", "The life of a run", table(BY, T));
    }

    @Test
    void a_runner_without_the_lease_moves_nothing() {
        var byOther = table(OTHER, T);
        assertThat(byOther).doesNotContain("Confirmed", "Renewed", "Completed", "Broke");
        assertThat(table(EARLIER, T)).isEqualTo(byOther);
    }

    @Test
    void an_expired_lease_moves_nothing() {
        assertThat(table(BY, LATER.plusMillis(1))).isEqualTo(table(OTHER, LATER.plusMillis(1)));
    }

    @Test
    void the_table_covers_every_state_and_event() {
        assertThat(STATES).hasSameSizeAs(LifecyclePage.cases(RunState.class));
        assertThat(events(BY, T)).hasSameSizeAs(LifecyclePage.cases(RunEvent.class));
    }

    private static String table(Holder by, Instant at) {
        var table = new StringBuilder();
        for (var state : STATES) {
            for (var event : events(by, at)) {
                if (RunLifecycle.next(state, event) instanceof RunLifecycle.Step.Moved(var to)) {
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
