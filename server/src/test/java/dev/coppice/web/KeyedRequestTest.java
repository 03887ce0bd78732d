package dev.coppice.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.access.Caller;
import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.kernel.Outcome;
import dev.coppice.request.Operation;
import dev.coppice.store.SqlStore;
import dev.coppice.store.engine.Database;
import dev.coppice.store.schema.Databases;
import dev.coppice.wire.Call;
import dev.coppice.wire.Method;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests with an Idempotency-Key: only the commit is inside of the write. */
class KeyedRequestTest {
    private record Made(int number) {}

    private static final Call<Call.Nothing, Made> MAKE =
            Call.post("make", "/made", Call.Nothing.class, Made.class, "Make").repeatable();

    @TempDir Path temp;
    private @Nullable Database database;

    @BeforeEach
    void open() {
        database = Databases.sqlite(temp.resolve("coppice.db"), InstantSource.system(), _ -> {});
    }

    @AfterEach
    void close() {
        database().close();
    }

    private Database database() {
        return Objects.requireNonNull(database);
    }

    private IdempotentRequests requests() {
        var receipts = SqlStore.on(database()).receipts();
        return new IdempotentRequests(database(), receipts, InstantSource.system());
    }

    private static Exchange keyed() {
        var request =
                new Exchange.Request(
                        Method.POST, "/made", Map.of(), Map.of("idempotency-key", "k"), "{}", null);
        var admin = Caller.as(Role.ADMIN);
        return new Exchange(
                request, admin, Map.of(), RequestMemory.ofThisProcess().of(admin, Need.NOTHING));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A caller's own schema was checked inside: every other write waited for seconds. */
    @Test
    void a_preparation_that_blocks_leaves_the_writer_free() throws Exception {
        var entered = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var made =
                    callers.submit(() ->
                            requests()
                                    .<Made>perform(
                                            keyed(),
                                            MAKE,
                                            () -> {
                                                entered.countDown();
                                                await(release);
                                                return Outcome.done(
                                                        () -> Outcome.done(new Made(1)));
                                            }));
            await(entered);
            assertThat(database().write(() -> "written").equals("written")).isTrue();
            assertThat(made.isDone()).isFalse();
            release.countDown();
            assertThat(made.get()).isEqualTo(Outcome.done(new Made(1)));
        }
    }

    @Test
    void requests_with_one_key_prepare_and_commit_once() throws Exception {
        var prepared = new AtomicInteger();
        var committed = new AtomicInteger();
        var requests = requests();
        Callable<Outcome<Made>> request =
                () ->
                        requests.perform(
                                keyed(),
                                MAKE,
                                () -> {
                                    prepared.incrementAndGet();
                                    return Outcome.done(() ->
                                            Outcome.done(new Made(committed.incrementAndGet())));
                                });
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var answer : callers.invokeAll(Collections.nCopies(8, request))) {
                assertThat(answer.get()).isEqualTo(Outcome.done(new Made(1)));
            }
        }
        assertThat(prepared).hasValue(1);
        assertThat(committed).hasValue(1);
    }

    @Test
    void an_operation_that_repeats_its_answer_or_is_audited_has_two_halves() {
        assertThatThrownBy(() -> Operation.of(MAKE, Need.SPAWN, (_, _) -> made()))
                .isInstanceOf(IllegalStateException.class);
        var audited = Call.post("act", "/act", Call.Nothing.class, Made.class, "Act").audited();
        assertThatThrownBy(() -> Operation.of(audited, Need.SPAWN, (_, _) -> made()))
                .isInstanceOf(IllegalStateException.class);
        var split =
                Operation.changing(
                        MAKE, Need.SPAWN, database(), (_, _) -> Outcome.done(() -> made()));
        assertThatThrownBy(() -> split.doing((_, _) -> made()))
                .isInstanceOf(IllegalStateException.class);
    }

    private static Outcome<Made> made() {
        return Outcome.done(new Made(1));
    }
}
