package dev.coppice.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.kernel.Topic;
import dev.coppice.kernel.WriteUnderWay;
import dev.coppice.scene.Eventually;
import dev.coppice.store.SqlStore;
import dev.coppice.store.schema.Databases;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** The one writer, and the callers that wait for it. */
class WriterTest {
    @TempDir Path temp;

    private Database open(Consumer<Topic> onCommit) {
        return Databases.sqlite(temp.resolve("coppice.db"), InstantSource.system(), onCommit);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Holds the writer until {@code others} wait for it. */
    private static CompletableFuture<Void> busy(Database database, CountDownLatch until) {
        var holds = new CountDownLatch(1);
        var write =
                CompletableFuture.runAsync(() ->
                        database.writeInBackground(() -> {
                            holds.countDown();
                            await(until);
                            return true;
                        }));
        await(holds);
        return write;
    }

    @Test
    void a_write_before_others_overtakes_those_that_wait() throws Exception {
        var order = Collections.synchronizedList(new ArrayList<String>());
        var release = new CountDownLatch(1);
        try (var database = open(_ -> {});
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var busy = busy(database, release);
            var later = callers.submit(() -> database.write(() -> order.add("sweep")));
            Eventually.await(database::othersWait, () -> "the sweep does not wait");
            var first = new Thread(() -> database.writeBeforeOthers(() -> order.add("renewal")));
            first.start();
            Eventually.await(
                    () -> first.getState() == Thread.State.WAITING, () -> "" + first.getState());
            release.countDown();
            busy.get();
            later.get();
            first.join();
        }
        assertThat(order).isEqualTo(List.of("renewal", "sweep"));
    }

    /** An error in one signal left the other callers of its batch without an answer. */
    @Test
    void an_error_in_a_signal_leaves_no_caller_of_the_batch_waiting() throws Exception {
        var release = new CountDownLatch(1);
        try (var database =
                        open(_ -> {
                            throw new StackOverflowError("planted");
                        });
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var store = SqlStore.on(database);
            var busy = busy(database, release);
            var first = CompletableFuture.supplyAsync(() -> signalled(store), callers);
            var second = CompletableFuture.supplyAsync(() -> signalled(store), callers);
            Eventually.await(database::othersWait, () -> "nothing waits");
            release.countDown();
            busy.get();
            assertThat(first.get()).isTrue();
            assertThat(second.get()).isTrue();
            assertThat(signalled(store)).isTrue();
        }
    }

    private static boolean signalled(dev.coppice.wiring.Store store) {
        return store.transactions()
                .write(() -> {
                    store.signals().raise(new Topic.WorkWaits());
                    return true;
                });
    }

    @Test
    void what_is_slow_is_forbidden_within_a_write_only() {
        WriteUnderWay.forbid("a check");
        try (var database = open(_ -> {})) {
            assertThatThrownBy(() ->
                            database.write(() -> {
                                WriteUnderWay.forbid("a check");
                                return true;
                            }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("a check within a write");
            database.read(() -> {
                WriteUnderWay.forbid("a check");
                return true;
            });
        }
    }

    @Test
    void a_write_that_holds_up_others_is_counted() {
        try (var database = open(_ -> {})) {
            long before = database.slowWrites();
            database.write(() -> {
                long until = System.nanoTime() + 60_000_000;
                while (System.nanoTime() < until) Thread.onSpinWait();
                return true;
            });
            assertThat(database.slowWrites()).isEqualTo(before + 1);
        }
    }
}
