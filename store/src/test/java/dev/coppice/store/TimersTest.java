package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.RunnerId;
import dev.coppice.run.RunState;
import dev.coppice.store.schema.Tables;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** The stored times that are moved back after the clock was set back. */
class TimersTest {
    private static final Duration DAY = Duration.ofDays(1);

    /** Times that say when something was, or until when something is kept. */
    private static final Set<String> NOT_WAITED_FOR =
            Set.of(
                    "at",
                    "sent_at",
                    "made_at",
                    "created_at",
                    "registered_at",
                    "queued_at",
                    "claimed_at",
                    "started_at",
                    "resumed_at",
                    "completed_at",
                    "began_at",
                    "hidden_at",
                    "quiet_at",
                    "fenced_at",
                    "frozen_at",
                    "abandoned_at",
                    "asked_at",
                    "settled_at",
                    "revoked_at",
                    "used_at",
                    "raised_at",
                    "sampled_at",
                    "printed_at",
                    "undo_until",
                    "any_session.since",
                    "any_session.ended_at",
                    "run.since",
                    "run.ended_at",
                    "callback.since",
                    "child_join.ended_at",
                    "tree_stop.ended_at",
                    "removal.ended_at",
                    "child_join.deadline",
                    "run.unmatched_at",
                    "token.until_at",
                    "ask.until_at",
                    "standing_answer.until_at");

    @Test
    void each_time_in_the_schema_is_moved_back_or_needs_not_to_be() {
        var all = new TreeSet<String>();
        for (var table : Tables.current().names()) {
            for (var column : Tables.current().columns(table)) {
                var name = column.name();
                if (!name.matches(".*_(at|until)|at|since|due|deadline")) continue;
                if (NOT_WAITED_FOR.contains(name)) continue;
                if (!NOT_WAITED_FOR.contains(table + "." + name)) all.add(table + "." + name);
            }
        }
        var moved = Timers.ALL.stream().map(t -> t.table() + "." + t.column());
        assertThat(moved).containsExactlyInAnyOrderElementsOf(all);
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void what_is_waited_for_is_as_far_away_as_before(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            var plan = Given.root("plan");
            var run = Given.run("run_1", plan);
            var lease = Given.lease("r", 1, Given.T.plusSeconds(30));
            store.transactions()
                    .write(() -> {
                        store.sessions().add(plan);
                        store.runners().save(Given.runner("r"));
                        store.runs().add(run);
                        store.runs().save(Given.in(run, new RunState.Running(lease, Given.T)));
                        return 0;
                    });
            var timers = new Timers(store.transactions());
            var now = Given.T.minus(DAY);
            assertThat(timers.newest()).contains(Given.T);
            assertThat(timers.moveBack(now, DAY)).isEqualTo(2);
            store.transactions()
                    .read(() -> {
                        var held = store.runs().find(run.id()).orElseThrow().state().held();
                        assertThat(Objects.requireNonNull(held).until())
                                .isEqualTo(now.plusSeconds(30));
                        var runner = store.runners().find(new RunnerId("r")).orElseThrow();
                        assertThat(runner.seen()).isEqualTo(now);
                        return 0;
                    });
        }
    }
}
