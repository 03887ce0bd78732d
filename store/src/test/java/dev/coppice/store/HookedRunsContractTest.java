package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.HookedRuns.Waiting;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.session.Session;
import dev.coppice.wiring.Store;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;

/** The contract of every store for runs that have hooks. */
class HookedRunsContractTest {
    private static final Session MAIN = Given.root("main");
    private static final Session HOOK = Given.child(MAIN, "hook");
    private static final Run HOOKED =
            Given.in(Given.run("run_1", MAIN), new RunState.Hooked(Given.T));
    private static final Run OF_HOOK = Given.run("run_2", HOOK);

    private static void write(Store store, Runnable change) {
        store.transactions()
                .write(() -> {
                    change.run();
                    return 0;
                });
    }

    private static void order(Store store) {
        write(
                store,
                () -> {
                    store.sessions().add(MAIN);
                    store.sessions().add(HOOK);
                    store.runs().add(HOOKED);
                });
    }

    private static List<SessionId> due(Store store) {
        return store.transactions()
                .read(() -> store.hookedRuns().due(10).stream().map(Waiting::hook).toList());
    }

    @ParameterizedTest
    @EnumSource
    void a_run_is_due_until_its_hook_begins_and_when_that_has_ended(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            order(store);
            assertThat(due(store)).hasSize(1).containsOnlyNulls();
            write(
                    store,
                    () -> {
                        store.runs().add(OF_HOOK);
                        store.hookedRuns().begun(HOOKED.id(), HOOK.id());
                    });
            assertThat(due(store)).isEmpty();
            var ended = new RunState.Finished(Given.T, "completed", null);
            write(store, () -> store.runs().save(Given.in(OF_HOOK, ended)));
            assertThat(due(store)).containsExactly(HOOK.id());
            var isHook = store.transactions().read(() -> store.hookedRuns().isHook(HOOK.id()));
            assertThat(isHook).isTrue();
            write(store, () -> store.runs().save(Given.in(HOOKED, new RunState.Queued(Given.T))));
            assertThat(due(store)).isEmpty();
            var waits = store.transactions().read(() -> store.hookedRuns().waiting(HOOKED.id()));
            assertThat(waits).isEmpty();
        }
    }

    /** No runner may see a run that waits for its hook. */
    @ParameterizedTest
    @EnumSource
    void a_run_that_waits_for_its_hook_is_in_no_lane(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            order(store);
            assertThat(store.transactions().read(() -> store.runs().lanes())).isEmpty();
            write(store, () -> store.runs().save(Given.in(HOOKED, new RunState.Queued(Given.T))));
            assertThat(store.transactions().read(() -> store.runs().lanes())).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_run_owes_its_follower_once(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            order(store);
            write(store, () -> store.hookedRuns().oweFollower(HOOKED.id()));
            store.transactions()
                    .read(() -> {
                        assertThat(store.hookedRuns().followed(10)).hasSize(1);
                        assertThat(store.hookedRuns().owesFollower(HOOKED.id())).isTrue();
                        return 0;
                    });
            write(store, () -> store.hookedRuns().followed(HOOKED.id(), HOOK.id()));
            store.transactions()
                    .read(() -> {
                        assertThat(store.hookedRuns().followed(10)).isEmpty();
                        assertThat(store.hookedRuns().owesFollower(HOOKED.id())).isFalse();
                        assertThat(store.hookedRuns().isHook(HOOK.id())).isTrue();
                        return 0;
                    });
        }
    }

    @ParameterizedTest
    @EnumSource
    void parameters_that_a_hook_gave_are_stored_and_counted(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            order(store);
            var changed = HOOKED.with(new JsonText("{\"prompt\":\"a longer text\"}"));
            write(store, () -> store.hookedRuns().saveParameters(changed));
            var stored = store.transactions().read(() -> store.runs().find(HOOKED.id()));
            assertThat(stored.orElseThrow().task()).isEqualTo(changed.task());
            assertThat(opened.leftovers().get()).isEmpty();
        }
    }
}
