package dev.coppice.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Receipts.Receipt;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.scene.Scene;
import dev.coppice.session.Limits;
import dev.coppice.session.NewSession;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Profile;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.store.Given;
import dev.coppice.store.Stores;
import dev.coppice.wiring.Store;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Transactions are atomic and isolated. */
class TransactionsContractTest {
    @ParameterizedTest
    @EnumSource
    void a_write_that_throws_is_rolled_back_and_fails_alone(Stores stores) throws Exception {
        try (var opened = stores.open(_ -> {});
                var many = Executors.newVirtualThreadPerTaskExecutor()) {
            var store = opened.store();
            var writes =
                    IntStream.range(0, 60).mapToObj(i -> many.submit(write(store, i))).toList();
            int failed = 0;
            for (Future<Integer> write : writes) {
                try {
                    write.get();
                } catch (java.util.concurrent.ExecutionException e) {
                    assertThat(e.getCause()).isInstanceOf(IllegalArgumentException.class);
                    failed++;
                }
            }
            assertThat(failed).isEqualTo(20);
            long preserved =
                    IntStream.range(0, 60)
                            .filter(i ->
                                    store.transactions()
                                            .read(() -> store.sessions().named("s" + i))
                                            .isPresent())
                            .count();
            assertThat(preserved).isEqualTo(40);
        }
    }

    /** SQLite would take it for null. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MEMORY")
    void a_parameter_that_is_not_set_is_an_error_before_the_statement(Stores stores) {
        var both = Sql.of("select count(*) from session where id = :id or name = :name");
        try (var opened = stores.open(_ -> {})) {
            var transactions = opened.store().transactions();
            assertThat(
                            transactions.read(
                                    () -> Tx.call(both).set("id", "a").set("name", "b").number()))
                    .isZero();
            assertThatThrownBy(() -> transactions.read(() -> Tx.call(both).set("id", "a").number()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("parameter name is not set");
        }
    }

    private static Callable<Integer> write(Store store, int i) {
        return () ->
                store.transactions()
                        .write(() -> {
                            store.sessions().add(Given.root("s" + i));
                            if (i % 3 == 0) throw new IllegalArgumentException("no");
                            return i;
                        });
    }

    @ParameterizedTest
    @EnumSource
    void a_write_within_a_write_joins_it(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            assertThatThrownBy(() ->
                            store.transactions()
                                    .write(() -> {
                                        store.transactions()
                                                .write(() -> {
                                                    store.sessions().add(Given.root("inner"));
                                                    return 0;
                                                });
                                        throw new IllegalArgumentException("outer");
                                    }))
                    .hasMessage("outer");
            assertThat(store.transactions().read(() -> store.sessions().named("inner"))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_port_used_outside_a_transaction_throws(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            assertThatThrownBy(() -> opened.store().sessions().named("x"))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_receipt_is_found_by_its_caller_only_until_it_is_forgotten(Stores stores) {
        var receipt = new Receipt("ADMIN", "k", "d", 201, new JsonText("{}"), Given.T);
        try (var opened = stores.open(_ -> {})) {
            var store = opened.store();
            store.transactions()
                    .write(() -> {
                        store.receipts().add(receipt);
                        assertThat(store.receipts().find("ADMIN", "k")).contains(receipt);
                        assertThat(store.receipts().find("OPERATOR", "k")).isEmpty();
                        assertThat(store.receipts().forgetUntil(Given.T.minusMillis(1), 9))
                                .isZero();
                        return store.receipts().forgetUntil(Given.T, 9);
                    });
            assertThat(store.transactions().read(() -> store.receipts().find("ADMIN", "k")))
                    .isEmpty();
        }
    }

    /**
     * A start races the stop of its parent: in either order, no child is added to a stopped parent.
     */
    @ParameterizedTest
    @EnumSource
    void no_child_starts_below_a_parent_stopped_at_the_same_time(Stores stores) throws Exception {
        try (var opened = stores.open(_ -> {});
                var many = Executors.newVirtualThreadPerTaskExecutor()) {
            var store = opened.store();
            var rules = Given.rules(store);
            var start = rules.startSession;
            var stop = rules.stop;
            for (int round = 0; round < 20; round++) {
                var parent = new SessionId("p" + round);
                start.start(
                        new NewSession(
                                parent,
                                parent.value(),
                                null,
                                ParentReference.NONE,
                                Profile.EMPTY,
                                Limits.NONE));
                var births =
                        IntStream.range(0, 8)
                                .mapToObj(i ->
                                        many.submit(() ->
                                                start.start(
                                                        new NewSession(
                                                                new SessionId(parent + ".c" + i),
                                                                null,
                                                                null,
                                                                ParentReference.of(parent),
                                                                Profile.EMPTY,
                                                                Limits.NONE))))
                                .toList();
                many.submit(() -> stop.stop(parent, Duration.ofSeconds(1), "race")).get();
                int born = 0;
                for (var birth : births) if (birth.get() instanceof Outcome.Done<Session>) born++;
                int before = born;
                store.transactions()
                        .read(() -> {
                            var ended = store.sessions().find(parent).orElseThrow();
                            assertThat(ended.state()).isInstanceOf(SessionState.Stopped.class);
                            assertThat(store.sessions().countChildren(parent)).isEqualTo(before);
                            return 0;
                        });
                var late =
                        start.start(
                                new NewSession(
                                        null,
                                        null,
                                        null,
                                        ParentReference.of(parent),
                                        Profile.EMPTY,
                                        Limits.NONE));
                assertThat(Scene.refused(late)).isInstanceOf(SessionRefusal.ParentHasEnded.class);
            }
        }
    }

    /**
     * Limits are checked in the transaction that inserts, so concurrent starts cannot pass them
     * together.
     */
    @ParameterizedTest
    @EnumSource
    void concurrent_starts_do_not_exceed_a_limit(Stores stores) throws Exception {
        try (var opened = stores.open(_ -> {});
                var many = Executors.newVirtualThreadPerTaskExecutor()) {
            var store = opened.store();
            var start = Given.rules(store).startSession;
            var top = new SessionId("top");
            start.start(
                    new NewSession(
                            top,
                            "top",
                            null,
                            ParentReference.NONE,
                            Profile.EMPTY,
                            Limits.NONE.with(Limits.Kind.CHILDREN, 5)));
            var births =
                    IntStream.range(0, 40)
                            .mapToObj(_ ->
                                    many.submit(() ->
                                            start.start(
                                                    new NewSession(
                                                            null,
                                                            null,
                                                            null,
                                                            ParentReference.of(top),
                                                            Profile.EMPTY,
                                                            Limits.NONE))))
                            .toList();
            int born = 0;
            for (var birth : births) if (birth.get() instanceof Outcome.Done<Session>) born++;
            assertThat(born).isEqualTo(5);
        }
    }
}
