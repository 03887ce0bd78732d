package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Demands;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Result;
import dev.coppice.run.Run;
import dev.coppice.run.RunFilter;
import dev.coppice.run.RunState;
import dev.coppice.session.SessionState;
import dev.coppice.wiring.Store;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The contract of every store for runs. */
class RunsContractTest {
    private static final dev.coppice.session.Session PLAN = Given.root("plan");
    private static final dev.coppice.session.Session DRAFT = Given.child(PLAN, "draft");
    private static final Run FIRST = Given.run("run_1", PLAN);
    private static final Run SECOND = Given.run("run_2", DRAFT);

    private static void order(Store store) {
        store.transactions()
                .write(() -> {
                    store.runners().save(Given.runner("r"));
                    store.sessions().add(PLAN);
                    store.sessions().add(DRAFT);
                    store.runs().add(FIRST);
                    store.runs().add(SECOND);
                    return 0;
                });
    }

    private static void save(Store store, Run run) {
        store.transactions()
                .write(() -> {
                    store.runs().save(run);
                    return 0;
                });
    }

    @ParameterizedTest
    @EnumSource
    void a_run_comes_back_as_stored(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            order(store);
            assertThat(store.transactions().read(() -> store.runs().find(FIRST.id())))
                    .contains(FIRST);
            assertThat(store.transactions().read(() -> store.runs().liveOf(PLAN.id())))
                    .contains(FIRST);
        }
    }

    @ParameterizedTest
    @EnumSource
    void every_state_comes_back_as_stored(Stores stores) {
        var at = Given.T.plusSeconds(9);
        var lease = Given.lease("r", 3, at.plusSeconds(30));
        var states =
                List.<RunState>of(
                        new RunState.Claimed(lease, at),
                        new RunState.Running(lease, at),
                        new RunState.Stopping(lease, at, at.plusSeconds(5), "why"),
                        new RunState.Finished(at, "completed", lease.holder()),
                        new RunState.Failed(at, "x", lease.holder()),
                        new RunState.Stopped(at, "x", null),
                        new RunState.TimedOut(at, "x", null),
                        new RunState.Lost(at, "x", lease.holder()));
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            order(store);
            for (var state : states) {
                var moved =
                        Given.in(FIRST, state).with(new Result("text", new JsonText("{\"a\":1}")));
                save(store, moved);
                assertThat(store.transactions().read(() -> store.runs().find(FIRST.id())))
                        .contains(moved);
            }
            assertThat(store.transactions().read(() -> store.runs().liveOf(PLAN.id()))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_session_has_one_live_run(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            order(store);
            assertThatThrownBy(() ->
                            store.transactions()
                                    .write(() -> {
                                        store.runs().add(Given.run("run_3", PLAN));
                                        return 0;
                                    }))
                    .isInstanceOf(RuntimeException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void queued_runs_come_oldest_first_and_lists_newest_first(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            order(store);
            assertThat(ids(queued(store))).containsExactly("run_1", "run_2");
            var lane = store.transactions().read(() -> store.runs().lanes().getFirst());
            assertThat(store.transactions().read(() -> store.runs().countIn(lane, 9))).isEqualTo(2);
            assertThat(store.transactions().read(() -> store.runs().countIn(lane, 1))).isEqualTo(1);
            assertThat(
                            ids(
                                    store.transactions()
                                            .read(() ->
                                                    store.runs()
                                                            .list(RunFilter.ALL, Cursor.first(9))
                                                            .items())))
                    .containsExactly("run_2", "run_1");
            var ofDraft = new RunFilter(Set.of("queued"), DRAFT.id(), null);
            assertThat(
                            ids(
                                    store.transactions()
                                            .read(() ->
                                                    store.runs()
                                                            .list(ofDraft, Cursor.first(9))
                                                            .items())))
                    .containsExactly("run_2");
            var below = RunFilter.ALL.within(DRAFT.id());
            assertThat(
                            ids(
                                    store.transactions()
                                            .read(() ->
                                                    store.runs()
                                                            .list(below, Cursor.first(9))
                                                            .items())))
                    .containsExactly("run_2");
            var failed = new RunFilter(Set.of("failed"), null, null);
            assertThat(
                            store.transactions()
                                    .read(() -> store.runs().list(failed, Cursor.first(9)).items()))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void no_lane_shows_a_run_that_is_set_aside(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            order(store);
            var aside = setAside(store, DRAFT.id());
            assertThat(ids(aside)).containsExactly("run_1");
            assertThat(ids(setAside(store, PLAN.id()))).isEmpty();
            assertThat(store.transactions().read(() -> store.runs().lanes())).isEmpty();
            store.transactions()
                    .write(() -> {
                        store.runs().takeBack(PLAN.id());
                        return 0;
                    });
            assertThat(ids(queued(store))).containsExactly("run_1");
            save(store, SECOND);
            assertThat(ids(queued(store))).containsExactly("run_1", "run_2");
        }
    }

    /** The budget of a parent no longer counts for a session that is detached. */
    @ParameterizedTest
    @EnumSource
    void a_detached_session_takes_its_runs_back(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            order(store);
            assertThat(setAside(store, PLAN.id())).isEmpty();
            store.transactions()
                    .write(() -> {
                        store.sessions().detach(DRAFT.id(), DRAFT.limits());
                        return 0;
                    });
            assertThat(ids(queued(store))).containsExactly("run_2");
        }
    }

    private static List<Run> setAside(Store store, SessionId top) {
        store.transactions()
                .write(() -> {
                    store.runs().setAside(top, top);
                    return 0;
                });
        return queued(store);
    }

    private static List<String> ids(List<Run> runs) {
        return runs.stream().map(r -> r.id().value()).toList();
    }

    @ParameterizedTest
    @EnumSource
    void expired_leases_are_found_and_can_be_extended(Stores stores) {
        var until = Given.T.plusSeconds(30);
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            order(store);
            save(store, Given.in(FIRST, new RunState.Running(Given.lease("r", 1, until), Given.T)));
            assertThat(store.transactions().read(() -> store.runs().leasedUntil(until, 9)))
                    .isEmpty();
            assertThat(
                            store.transactions()
                                    .read(() -> store.runs().leasedUntil(until.plusMillis(1), 9)))
                    .hasSize(1);
            assertThat(store.transactions().read(() -> store.runs().heldBy(new RunnerId("r"))))
                    .hasSize(1);
            assertThat(
                            store.transactions()
                                    .write(() ->
                                            store.runs()
                                                    .extendLeases(
                                                            new RunnerId("r"),
                                                            until.plusSeconds(60))))
                    .isEqualTo(1);
            assertThat(
                            store.transactions()
                                    .read(() -> store.runs().leasedUntil(until.plusMillis(1), 9)))
                    .isEmpty();
        }
    }

    /** PostgreSQL cannot index more than a third of a page, unless it can be compressed. */
    @ParameterizedTest
    @EnumSource
    void the_largest_demands_can_be_queued(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            store.transactions()
                    .write(() -> {
                        store.sessions().add(PLAN);
                        store.runs().add(demanding(Bounds.DEMANDS_BYTES_MAX));
                        return 0;
                    });
            var lane = store.transactions().read(() -> store.runs().lanes().getFirst());
            assertThat(lane.demands().bytes()).isEqualTo(Bounds.DEMANDS_BYTES_MAX);
        }
    }

    private static Run demanding(int bytes) {
        var random = new Random(1);
        var tag = new StringBuilder();
        while (tag.length() < bytes - 1) tag.append((char) ('a' + random.nextInt(26)));
        var run = Given.run("run_1", PLAN);
        return new Run(
                run.id(),
                run.session(),
                run.type(),
                run.mode(),
                run.task(),
                new Demands(null, null, null, null, Set.of(tag.toString())),
                run.state(),
                run.marks(),
                run.result());
    }

    private static long firstFence(Store store) {
        return store.transactions()
                .read(() -> {
                    var lane = store.runs().lanes().getFirst();
                    return store.runs().firstIn(lane, 0).orElseThrow().fence();
                });
    }

    /** The runs of all lanes, each lane oldest first. */
    private static List<Run> queued(Store store) {
        return store.transactions()
                .read(() -> {
                    var found = new ArrayList<Run>();
                    for (var lane : store.runs().lanes()) {
                        var first = store.runs().firstIn(lane, 0);
                        while (first.isPresent()) {
                            found.add(first.get().run());
                            first = store.runs().firstIn(lane, first.get().place());
                        }
                    }
                    return found;
                });
    }

    @ParameterizedTest
    @EnumSource
    void the_fence_grows_and_outlives_the_lease(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            order(store);
            assertThat(firstFence(store)).isEqualTo(1);
            save(
                    store,
                    Given.in(FIRST, new RunState.Claimed(Given.lease("r", 1, Given.T), Given.T)));
            save(store, FIRST);
            assertThat(firstFence(store)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_waiting_run_is_not_busy(Stores stores) {
        var until = Given.T.plusSeconds(30);
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            order(store);
            save(store, Given.in(FIRST, new RunState.Running(Given.lease("r", 1, until), Given.T)));
            assertThat(busy(store, Given.T)).isEqualTo("1 of r, 2 in plan, 1 without plan");
            store.transactions()
                    .write(() -> {
                        store.runs().setWaiting(FIRST.id(), until);
                        return 0;
                    });
            assertThat(busy(store, Given.T)).isEqualTo("0 of r, 1 in plan, 1 without plan");
            assertThat(busy(store, until.plusMillis(1)))
                    .isEqualTo("1 of r, 2 in plan, 1 without plan");
        }
    }

    private static String busy(Store store, java.time.Instant now) {
        return store.transactions()
                .read(() ->
                        "%d of r, %d in plan, %d without plan"
                                .formatted(
                                        store.runs().countBusy(new RunnerId("r"), now),
                                        store.runs().countBusy(PLAN.id(), null, now),
                                        store.runs().countBusy(PLAN.id(), PLAN.id(), now)));
    }

    @ParameterizedTest
    @EnumSource
    void unmatched_runs_are_found_after_their_deadline(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            order(store);
            var due = FIRST.marks().unmatchedAt();
            assertThat(
                            store.transactions()
                                    .read(() -> store.runs().unmatchedAt(due.minusMillis(1), 9)))
                    .isEmpty();
            assertThat(store.transactions().read(() -> store.runs().unmatchedAt(due, 9)))
                    .hasSize(2);
        }
    }

    /** Each writer reads the run, changes it and saves it: each must see the previous change. */
    @ParameterizedTest
    @EnumSource
    void concurrent_updates_of_a_run_are_not_lost(Stores stores) throws Exception {
        try (var opened = stores.open(_ -> {});
                var many = Executors.newVirtualThreadPerTaskExecutor()) {
            var store = opened.store();
            order(store);
            save(store, FIRST.with(new Result("0", null)));
            var writes = new ArrayList<Future<?>>();
            for (int i = 0; i < 50; i++) writes.add(many.submit(() -> countUp(store)));
            for (var write : writes) write.get();
            var counted = store.transactions().read(() -> store.runs().find(FIRST.id()));
            assertThat(counted.orElseThrow().result().text()).isEqualTo("50");
        }
    }

    private static Run countUp(Store store) {
        return store.transactions()
                .write(() -> {
                    var run = store.runs().find(FIRST.id()).orElseThrow();
                    int next = Integer.parseInt(String.valueOf(run.result().text())) + 1;
                    var counted = run.with(new Result(Integer.toString(next), null));
                    store.runs().save(counted);
                    return counted;
                });
    }

    @ParameterizedTest
    @EnumSource
    void silent_and_outlived_runs_are_found(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            order(store);
            var lease = Given.lease("r", 3, Given.T.plusSeconds(30));
            save(store, Given.in(FIRST, new RunState.Running(lease, Given.T)));
            store.transactions()
                    .read(() -> {
                        var runs = store.runs();
                        assertThat(runs.silentAt(Given.T.plusSeconds(60), 9)).isEmpty();
                        assertThat(ids(runs.silentAt(Given.T.plusSeconds(61), 9)))
                                .containsExactly("run_1");
                        // The second run is queued, and as old.
                        assertThat(ids(runs.outlivedAt(Given.T.plusSeconds(3601), 9)))
                                .containsExactlyInAnyOrder("run_1", "run_2");
                        assertThat(runs.idleOutlivedAt(Given.T.plusSeconds(3601), 9)).isEmpty();
                        return 0;
                    });
            store.transactions()
                    .write(() -> {
                        var ended = new RunState.Finished(Given.T, "completed", lease.holder());
                        store.runs().save(Given.in(FIRST, ended));
                        store.sessions().save(Given.in(PLAN, new SessionState.Idle(Given.T)));
                        var runs = store.runs();
                        assertThat(runs.silentAt(Given.T.plusSeconds(61), 9)).isEmpty();
                        assertThat(runs.idleOutlivedAt(Given.T.plusSeconds(3600), 9)).isEmpty();
                        assertThat(ids(runs.idleOutlivedAt(Given.T.plusSeconds(3601), 9)))
                                .containsExactly("run_1");
                        var by = lease.holder().runner();
                        assertThat(ids(runs.lastWith(by, "idle", Given.T.minusSeconds(1))))
                                .containsExactly("run_1");
                        assertThat(runs.lastWith(by, "idle", Given.T)).isEmpty();
                        return 0;
                    });
        }
    }
}
