package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.callback.About;
import dev.coppice.callback.Callback;
import dev.coppice.callback.CallbackFilter;
import dev.coppice.callback.CallbackId;
import dev.coppice.callback.CallbackState;
import dev.coppice.callback.Join;
import dev.coppice.callback.JoinId;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.session.Session;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.wiring.Store;
import dev.coppice.word.JoinKind;
import dev.coppice.word.WhenBusy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The contract of every store for callbacks and joins. */
class CallbacksContractTest {
    private static final Session BOSS = Given.root("boss");
    private static final Session KID = Given.child(BOSS, "kid");
    private static final Run OF_BOSS = Given.run("run_b", BOSS);
    private static final Run OF_KID = Given.run("run_k", KID);

    private static void begin(Store store) {
        write(
                store,
                () -> {
                    store.sessions().add(BOSS);
                    store.sessions().add(KID);
                    store.runs().add(OF_KID);
                    return 0;
                });
    }

    private static <T> T write(Store store, Supplier<T> work) {
        return store.transactions().write(work);
    }

    private static Callback owed(String id, About about) {
        return new Callback(
                new CallbackId(id),
                BOSS.id(),
                about,
                new CallbackState.Owed(Given.T, Given.T),
                0,
                Given.T);
    }

    private static Callback in(Callback c, CallbackState state, int tries) {
        return new Callback(c.id(), c.to(), c.about(), state, tries, c.created());
    }

    private static final Callback OF_END = owed("cb_1", new About.ChildEnd(KID.id(), OF_KID.id()));
    private static final Callback SAID =
            owed("cb_2", new About.Message("hé", KID.id(), WhenBusy.INTERRUPT));
    private static final About.Notice REMOVED =
            new About.Notice(About.Notice.Kind.CHILD_REMOVED, KID.id());
    private static final Callback NOTICE =
            owed("cb_4", new About.Message("removed", null, WhenBusy.QUEUE, REMOVED));
    private static final Callback OF_JOIN = owed("cb_3", new About.JoinOver(new JoinId("join_1")));

    private static final Join JOIN =
            new Join(
                    new JoinId("join_1"),
                    BOSS.id(),
                    new Join.Until(JoinKind.SOME, 2),
                    List.of(
                            new Join.Member(KID.id(), OF_KID.id()),
                            new Join.Member(KID.id(), new RunId("run_x"))),
                    new Join.Count(0, 0),
                    Given.T.plusSeconds(60),
                    new Join.State(Join.Outcome.OPEN, null));

    private static int add(Store store, Callback... callbacks) {
        return write(
                store,
                () -> {
                    for (var c : callbacks) store.callbacks().add(c);
                    return callbacks.length;
                });
    }

    @ParameterizedTest
    @EnumSource
    void every_kind_and_state_comes_back_as_stored(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            begin(store);
            add(store, OF_END, SAID, NOTICE, OF_JOIN);
            var at = Given.T.plusSeconds(5);
            var states =
                    List.<CallbackState>of(
                            new CallbackState.Owed(at, at.plusSeconds(2)),
                            new CallbackState.Held(at, "stopped"),
                            new CallbackState.Carried(at, OF_BOSS.id()),
                            new CallbackState.Delivered(at, OF_BOSS.id()),
                            new CallbackState.Joined(at, new JoinId("join_1")),
                            new CallbackState.Dead(at, "gone", null),
                            new CallbackState.Dead(at, "removed", "rem_1"));
            for (var callback : List.of(OF_END, SAID, NOTICE, OF_JOIN)) {
                assertThat(write(store, () -> store.callbacks().find(callback.id())))
                        .contains(callback);
                for (var state : states) {
                    var moved = in(callback, state, 2);
                    write(
                            store,
                            () -> {
                                store.callbacks().save(moved);
                                return 0;
                            });
                    assertThat(write(store, () -> store.callbacks().find(callback.id())))
                            .contains(moved);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_notice_counts_as_carried_once_a_run_has_carried_it(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            begin(store);
            add(store, NOTICE);
            var back = new About.Notice(About.Notice.Kind.CHILD_RESTORED, KID.id());
            assertThat(write(store, () -> store.callbacks().hasCarried(BOSS.id(), REMOVED)))
                    .isFalse();
            var carried = new CallbackState.Carried(Given.T, OF_BOSS.id());
            assertThat(
                            write(
                                    store,
                                    () -> {
                                        store.callbacks().save(in(NOTICE, carried, 1));
                                        return store.callbacks().hasCarried(BOSS.id(), REMOVED);
                                    }))
                    .isTrue();
            assertThat(write(store, () -> store.callbacks().hasCarried(BOSS.id(), back))).isFalse();
            var delivered = new CallbackState.Delivered(Given.T, OF_BOSS.id());
            write(
                    store,
                    () -> {
                        store.callbacks().save(in(NOTICE, delivered, 1));
                        return 0;
                    });
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void a_run_end_has_at_most_one_callback(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            begin(store);
            add(store, OF_END);
            var again = owed("cb_9", OF_END.about());
            assertThatThrownBy(() -> add(store, again)).isInstanceOf(RuntimeException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void open_carried_and_due_callbacks_are_found(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            begin(store);
            add(store, OF_END, SAID, OF_JOIN);
            var held = in(SAID, new CallbackState.Held(Given.T, "x"), 0);
            var carried = in(OF_JOIN, new CallbackState.Carried(Given.T, OF_BOSS.id()), 1);
            write(
                    store,
                    () -> {
                        store.callbacks().save(held);
                        store.callbacks().save(carried);
                        return 0;
                    });
            var callbacks = store.callbacks();
            assertThat(write(store, () -> callbacks.openOf(BOSS.id(), 10)))
                    .containsExactly(OF_END, held);
            assertThat(write(store, () -> callbacks.openOf(KID.id(), 10))).isEmpty();
            assertThat(write(store, () -> callbacks.openAbout(BOSS.id(), KID.id())))
                    .containsExactly(OF_END);
            assertThat(write(store, () -> callbacks.openAbout(KID.id(), BOSS.id()))).isEmpty();
            assertThat(write(store, () -> callbacks.carriedBy(OF_BOSS.id())))
                    .containsExactly(carried);
            assertThat(write(store, () -> callbacks.ofChildRun(OF_KID.id()))).contains(OF_END);
            assertThat(write(store, () -> callbacks.waitingSince(Given.T.minusMillis(1), 10)))
                    .isEmpty();
            assertThat(write(store, () -> callbacks.waitingSince(Given.T, 10)))
                    .containsExactly(BOSS.id());
            assertThat(write(store, () -> callbacks.heldSince(Given.T.plusMillis(1), 10)))
                    .containsExactly(held);
            assertThat(write(store, () -> callbacks.heldSince(Given.T, 10))).isEmpty();
            var heard = new CallbackState.Delivered(Given.T, OF_BOSS.id());
            write(
                    store,
                    () -> {
                        callbacks.save(in(OF_JOIN, heard, 1));
                        return 0;
                    });
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_session_with_a_live_run_is_not_due(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            begin(store);
            add(store, OF_END);
            write(
                    store,
                    () -> {
                        store.runs().add(OF_BOSS);
                        return 0;
                    });
            assertThat(write(store, () -> store.callbacks().waitingSince(Given.T, 10))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void lists_are_newest_first_paged_and_narrowed(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            begin(store);
            write(
                    store,
                    () -> {
                        store.joins().add(JOIN);
                        return 0;
                    });
            add(store, OF_END, SAID, OF_JOIN);
            var held = in(SAID, new CallbackState.Held(Given.T, "x"), 0);
            write(
                    store,
                    () -> {
                        store.callbacks().save(held);
                        return 0;
                    });
            assertThat(listed(store, CallbackFilter.ALL)).containsExactly(OF_JOIN, held, OF_END);
            assertThat(listed(store, filter(Set.of("held"), null, null))).containsExactly(held);
            assertThat(listed(store, filter(Set.of("held", "owed"), null, null))).hasSize(3);
            assertThat(listed(store, filter(Set.of("held"), BOSS.id(), null)))
                    .containsExactly(held);
            assertThat(listed(store, filter(Set.of(), KID.id(), null))).isEmpty();
            assertThat(listed(store, filter(Set.of("owed"), null, BOSS.id())))
                    .containsExactly(OF_JOIN, OF_END);
            assertThat(listed(store, filter(Set.of(), null, KID.id()))).isEmpty();
            var first =
                    write(store, () -> store.callbacks().list(CallbackFilter.ALL, Cursor.first(2)));
            assertThat(first.items()).containsExactly(OF_JOIN, held);
            var rest = new Cursor(first.next(), 2);
            assertThat(write(store, () -> store.callbacks().list(CallbackFilter.ALL, rest)).items())
                    .containsExactly(OF_END);
        }
    }

    private static CallbackFilter filter(
            Set<String> states,
            @org.jspecify.annotations.Nullable SessionId to,
            @org.jspecify.annotations.Nullable SessionId within) {
        return new CallbackFilter(states, to, within);
    }

    private static List<Callback> listed(Store store, CallbackFilter filter) {
        return write(store, () -> store.callbacks().list(filter, Cursor.first(10)).items());
    }

    @ParameterizedTest
    @EnumSource
    void a_join_comes_back_and_is_found_by_the_runs_it_waits_for(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            begin(store);
            var over =
                    new Join(
                            JOIN.id(),
                            JOIN.by(),
                            JOIN.until(),
                            JOIN.members(),
                            new Join.Count(2, 1),
                            JOIN.deadline(),
                            new Join.State(Join.Outcome.MET, Given.T.plusSeconds(9)));
            write(
                    store,
                    () -> {
                        store.joins().add(JOIN);
                        return 0;
                    });
            var joins = store.joins();
            assertThat(write(store, () -> joins.find(JOIN.id()))).contains(JOIN);
            assertThat(write(store, () -> joins.waitingFor(OF_KID.id()))).containsExactly(JOIN);
            assertThat(write(store, () -> joins.waitingFor(OF_BOSS.id()))).isEmpty();
            assertThat(write(store, () -> joins.dueAt(Given.T.plusSeconds(59), 9))).isEmpty();
            assertThat(write(store, () -> joins.dueAt(Given.T.plusSeconds(60), 9)))
                    .containsExactly(JOIN.id());
            write(
                    store,
                    () -> {
                        joins.save(over);
                        return 0;
                    });
            assertThat(write(store, () -> joins.find(JOIN.id()))).contains(over);
            assertThat(write(store, () -> joins.waitingFor(OF_KID.id()))).isEmpty();
            assertThat(write(store, () -> joins.dueAt(Given.T.plusSeconds(60), 9))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_ended_run_does_not_delay_callbacks_to_its_session(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            begin(store);
            add(store, OF_END);
            var at = Given.T.plusSeconds(1);
            write(
                    store,
                    () -> {
                        store.runs().add(OF_BOSS);
                        store.runs().save(Given.in(OF_BOSS, new RunState.Finished(at, "x", null)));
                        return 0;
                    });
            assertThat(write(store, () -> store.callbacks().waitingSince(Given.T, 10)))
                    .containsExactly(BOSS.id());
        }
    }

    /** The cascade alone deleted the parent's row; its callbacks must not stay open. */
    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void callbacks_to_a_session_without_a_row_are_found_and_settled(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            begin(store);
            add(store, OF_END);
            write(
                    store,
                    () -> Tx.call(Sql.of("delete from any_session where id = 'boss'")).update());
            assertThat(write(store, () -> store.callbacks().waitingSince(Given.T, 9)))
                    .containsExactly(BOSS.id());
            assertThat(write(store, () -> store.callbacks().openOf(BOSS.id(), 9)))
                    .containsExactly(OF_END);
            write(
                    store,
                    () -> {
                        var dead = new CallbackState.Dead(Given.T, "its session is gone", null);
                        store.callbacks().save(in(OF_END, dead, 0));
                        return 0;
                    });
            assertThat(write(store, () -> store.callbacks().waitingSince(Given.T, 9))).isEmpty();
        }
    }
}
