package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.journal.Journal.Scope;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.session.Session;
import dev.coppice.session.SessionJournal;
import dev.coppice.session.SessionState;
import dev.coppice.wiring.Store;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The contract of every journal. */
class JournalContractTest {
    private static final Session PLAN = Given.root("plan");
    private static final Session DRAFT = Given.child(PLAN, "draft");
    private static final Session OTHER = Given.root("other");

    private static void grow(Store store) {
        store.transactions()
                .write(() -> {
                    store.sessions().add(PLAN);
                    store.sessions().add(DRAFT);
                    store.sessions().add(OTHER);
                    return 0;
                });
    }

    private static void tell(Store store, SessionId session, String type) {
        store.transactions()
                .write(() -> {
                    store.journal()
                            .append(
                                    session,
                                    null,
                                    new Fact.Reported(type, JsonText.EMPTY_OBJECT),
                                    Given.T);
                    return 0;
                });
    }

    @ParameterizedTest
    @EnumSource
    void every_fact_comes_back_as_it_was_written(Stores stores) {
        var facts =
                List.of(
                        new Fact.SessionCreated(SessionJournal.shot(DRAFT)),
                        new Fact.SessionUpdated(SessionJournal.shot(PLAN)),
                        new Fact.RunStarted(),
                        new Fact.RunCompleted(0),
                        new Fact.RunStopped("SIGTERM"),
                        new Fact.RunFailed("it broke: \"ü\""),
                        new Fact.ResultGiven("text", new JsonText("{\"a\":1}")),
                        new Fact.ResultGiven(null, null),
                        new Fact.Reported("message", new JsonText("{\"role\":\"user\"}")));
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            store.transactions()
                    .write(() -> {
                        facts.forEach(f ->
                                store.journal().append(DRAFT.id(), new RunId("run_1"), f, Given.T));
                        return 0;
                    });
            var found = store.transactions().read(() -> store.journal().after(0, Scope.ALL, 99));
            assertThat(found.stream().map(Entry::fact)).containsExactlyElementsOf(facts);
            assertThat(found).allSatisfy(e -> assertThat(e.run()).isEqualTo(new RunId("run_1")));
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_reader_sees_its_scope_from_any_number_in_either_direction(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            tell(store, PLAN.id(), "a");
            tell(store, OTHER.id(), "b");
            tell(store, DRAFT.id(), "c");
            tell(store, PLAN.id(), "d");
            assertThat(types(store, Scope.ALL, 0)).containsExactly("a", "b", "c", "d");
            assertThat(types(store, Scope.of(PLAN.id()), 0)).containsExactly("a", "d");
            assertThat(types(store, new Scope(null, PLAN.id()), 0)).containsExactly("a", "c", "d");
            assertThat(types(store, new Scope(null, DRAFT.id()), 0)).containsExactly("c");
            long head = store.transactions().read(() -> store.journal().head());
            assertThat(types(store, Scope.ALL, head - 1)).containsExactly("d");
            var newest =
                    store.transactions()
                            .read(() ->
                                    store.journal().before(Long.MAX_VALUE, Scope.of(PLAN.id()), 1));
            assertThat(newest.stream().map(JournalContractTest::type)).containsExactly("d");
        }
    }

    private static List<String> types(Store store, Scope scope, long after) {
        return store.transactions().read(() -> store.journal().after(after, scope, 99)).stream()
                .map(JournalContractTest::type)
                .toList();
    }

    private static String type(Entry entry) {
        return entry.fact() instanceof Fact.Reported(var type, _) ? type : "?";
    }

    @ParameterizedTest
    @EnumSource
    void a_rolled_back_event_is_neither_stored_nor_signalled(Stores stores) {
        var rung = new ArrayList<Topic>();
        try (var opened = stores.open(rung::add)) {
            var store = opened.store();
            grow(store);
            try {
                store.transactions()
                        .write(() -> {
                            store.journal().append(PLAN.id(), null, new Fact.RunStarted(), Given.T);
                            throw new IllegalArgumentException("no");
                        });
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessage("no");
            }
            assertThat(types(store, Scope.ALL, 0)).isEmpty();
            assertThat(rung).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void forgetting_moves_the_floor_and_never_reuses_numbers(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            end(store, OTHER);
            for (int i = 0; i < 5; i++) tell(store, OTHER.id(), "e" + i);
            assertThat(forget(store, null, 0, 3)).isEqualTo(new Journal.Forgotten(3, 3));
            long floor = store.transactions().read(() -> store.journal().floor());
            assertThat(
                            store.transactions()
                                    .read(() -> store.journal().after(0, Scope.ALL, 9))
                                    .getFirst()
                                    .number())
                    .isEqualTo(floor + 1);
            assertThat(forget(store, null, 0, 9)).isEqualTo(new Journal.Forgotten(5, 2));
            long head = store.transactions().read(() -> store.journal().head());
            tell(store, OTHER.id(), "later");
            assertThat(
                            store.transactions()
                                    .read(() -> store.journal().after(0, Scope.ALL, 9))
                                    .getFirst()
                                    .number())
                    .isGreaterThan(head);
        }
    }

    @ParameterizedTest
    @EnumSource
    void forgetting_keeps_the_events_of_trees_at_work_and_of_other_types(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            tell(store, PLAN.id(), "noise");
            tell(store, OTHER.id(), "noise");
            tell(store, OTHER.id(), "word");
            end(store, OTHER);
            end(store, PLAN);
            // The root has ended, but its child is at work.
            assertThat(forget(store, "noise", 0, 9)).isEqualTo(new Journal.Forgotten(3, 1));
            assertThat(types(store, Scope.ALL, 0)).containsExactly("noise", "word");
            end(store, DRAFT);
            assertThat(forget(store, null, 2, 9)).isEqualTo(new Journal.Forgotten(3, 1));
            assertThat(forget(store, null, 0, 9)).isEqualTo(new Journal.Forgotten(1, 1));
            assertThat(forget(store, null, 0, 9)).isEqualTo(new Journal.Forgotten(0, 0));
            tell(store, OTHER.id(), "held");
            assertThat(forget(store, null, 0, 9)).isEqualTo(new Journal.Forgotten(4, 0));
        }
    }

    private static void end(Store store, Session session) {
        var ended = Given.in(session, new SessionState.Finished(Given.T, "done"));
        store.transactions()
                .write(() -> {
                    store.sessions().save(ended);
                    return 0;
                });
    }

    private static Journal.Forgotten forget(
            Store store, @Nullable String type, long after, int max) {
        return store.transactions()
                .write(() -> {
                    var types = new Journal.Types(type, List.of("held"));
                    return store.journal().forget(new Journal.Due(types, after, Given.T, max));
                });
    }

    /**
     * The second writer to take a number must wait until the first commits. Otherwise a follower
     * that saw the larger number would never see the smaller one.
     */
    @ParameterizedTest
    @EnumSource
    void concurrent_events_become_visible_in_number_order(Stores stores) throws Exception {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            grow(store);
            var firstHasNumber = new CountDownLatch(1);
            var secondHasBegun = new CountDownLatch(1);
            var first =
                    Thread.ofPlatform()
                            .start(() ->
                                    store.transactions()
                                            .write(() -> {
                                                store.journal()
                                                        .append(
                                                                PLAN.id(),
                                                                null,
                                                                new Fact.Reported(
                                                                        "first",
                                                                        JsonText.EMPTY_OBJECT),
                                                                Given.T);
                                                firstHasNumber.countDown();
                                                await(secondHasBegun);
                                                return 0;
                                            }));
            await(firstHasNumber);
            var second =
                    Thread.ofPlatform()
                            .start(() -> {
                                secondHasBegun.countDown();
                                tell(store, OTHER.id(), "second");
                            });
            var seen = new ArrayList<String>();
            long last = 0;
            while (seen.size() < 2) {
                long after = last;
                for (var entry :
                        store.transactions()
                                .read(() -> store.journal().after(after, Scope.ALL, 9))) {
                    seen.add(type(entry));
                    last = entry.number();
                }
            }
            first.join();
            second.join();
            assertThat(seen).containsExactly("first", "second");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
