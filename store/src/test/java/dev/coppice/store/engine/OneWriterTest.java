package dev.coppice.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.kernel.CannotWrite;
import dev.coppice.store.Given;
import dev.coppice.store.SqlStore;
import dev.coppice.store.Stores;
import dev.coppice.store.schema.Databases;

import org.junit.jupiter.api.Test;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** Coordinators that share a PostgreSQL database write one after the other. */
class OneWriterTest {
    private static final String WAITS_FOR_THE_WRITER =
            "select count(*) from pg_locks where locktype = 'advisory' and not granted"
                    + " and database = (select oid from pg_database"
                    + " where datname = current_database())";
    private static final String OF_THE_WRITERS =
            " from pg_stat_activity where datname = current_database() and application_name = '%s'"
                    .formatted(PostgresWriteConnection.NAME);
    private static final String END_THE_WRITERS =
            "select pg_terminate_backend(pid)" + OF_THE_WRITERS;
    private static final String WRITERS = "select count(*)" + OF_THE_WRITERS;

    @Test
    void a_write_waits_for_another_coordinators_write() throws Exception {
        var url = Stores.url();
        try (var one = open(url);
                var two = open(url)) {
            var held = new CountDownLatch(1);
            var order = new ArrayList<String>();
            var first =
                    CompletableFuture.runAsync(() ->
                            one.writeInBackground(() -> {
                                add(one, "a");
                                await(held);
                                return order.add("first");
                            }));
            awaitNumber(url, "select count(*) from pg_locks where locktype = 'advisory'", 1);
            var second =
                    CompletableFuture.runAsync(() ->
                            two.write(() -> {
                                assertThat(SqlStore.on(two).sessions().named("a")).isPresent();
                                return order.add("second");
                            }));
            awaitNumber(url, WAITS_FOR_THE_WRITER, 1);
            held.countDown();
            CompletableFuture.allOf(first, second).join();
            assertThat(order).containsExactly("first", "second");
        }
    }

    /** In production the limit is 10 seconds. */
    @Test
    void a_stalled_coordinator_is_disconnected_and_recovers() throws Exception {
        var url = Stores.url();
        try (var still =
                        new PostgresWriteConnection(
                                url, List.of("set idle_in_transaction_session_timeout = '1s'"));
                var other = new PostgresWriteConnection(url, List.of())) {
            still.begin();
            // Returns once the server has disconnected the first one.
            other.begin();
            other.commit();
            assertThatThrownBy(() -> still.prepared().execute("select 1"))
                    .isInstanceOf(SQLException.class);
            still.rollBack();
            still.begin();
            still.commit();
        }
    }

    @Test
    void a_write_after_a_server_restart_succeeds() throws Exception {
        var url = Stores.url();
        try (var database = open(url)) {
            add(database, "a");
            assertThat(ask(url, WRITERS)).isOne();
            ask(url, END_THE_WRITERS);
            awaitNumber(url, WRITERS, 0);
            add(database, "b");
            assertThat(database.writePauses()).isZero();
        }
    }

    @Test
    void a_write_whose_connection_is_lost_is_refused_and_rolled_back() throws Exception {
        var url = Stores.url();
        try (var database = open(url)) {
            assertThatThrownBy(() ->
                            database.writeInBackground(() -> {
                                add(database, "a");
                                ask(url, END_THE_WRITERS);
                                awaitNumber(url, WRITERS, 0);
                                add(database, "b");
                                return 0;
                            }))
                    .isInstanceOf(CannotWrite.class);
            until(() -> database.condition().isEmpty());
            add(database, "a");
            assertThat(database.writePauses()).isOne();
        }
    }

    private static Database open(String url) {
        return Databases.postgres(url, Duration.ZERO, InstantSource.system(), _ -> {});
    }

    private static void add(Database database, String name) {
        database.write(() -> {
            SqlStore.on(database).sessions().add(Given.root(name));
            return 0;
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitNumber(String url, String question, long wanted) {
        until(() -> ask(url, question) == wanted);
    }

    private static void until(BooleanSupplier condition) {
        long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("timed out").isLessThan(until);
            Thread.onSpinWait();
        }
    }

    /** The number in the first row; 0 if the first column is no number. */
    private static long ask(String url, String question) {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(question)) {
            return rows.next() && rows.getMetaData().getColumnType(1) == Types.BIGINT
                    ? rows.getLong(1)
                    : 0;
        } catch (SQLException e) {
            throw new AssertionError(question, e);
        }
    }
}
