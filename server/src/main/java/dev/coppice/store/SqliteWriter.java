package dev.coppice.store;

import dev.coppice.kernel.Topic;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Group commit. Callers queue up; the one writer thread takes whoever is there, runs each in a
 * savepoint of its own, commits once, and only then answers them all. So one caller pays one fsync
 * and sixty-four callers share one.
 *
 * <p>A caller whose work throws is rolled back to its savepoint and fails alone. A commit that
 * fails fails everyone it carried. A batch ends after {@link #BATCH_CALLERS_MAX} callers or {@link
 * #BATCH_NANOS_MAX}, whichever comes first, so that no transaction grows without bound.
 */
final class SqliteWriter {
    private static final System.Logger LOG = System.getLogger("store");
    private static final int BATCH_CALLERS_MAX = 512;
    private static final long BATCH_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(25);
    private static final int WAITING_MAX = 10_000;
    private static final int CLOSE_SECONDS_MAX = 30;

    private final Connection connection;
    private final Prepared prepared;
    private final Runnable committed;
    private final Consumer<Topic> onCommit;
    private final Courtesy courtesy = new Courtesy();
    private final BlockingQueue<Job<?>> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final Thread thread;
    private volatile boolean open = true;

    SqliteWriter(Connection connection, Runnable committed, Consumer<Topic> onCommit) {
        this.connection = connection;
        this.committed = committed;
        this.prepared = new Prepared(connection);
        this.onCommit = onCommit;
        this.thread = SqliteDatabase.named("sqlite-writer").newThread(this::serve);
        thread.start();
    }

    /** One caller's work, and where its answer goes once it is safe. */
    private final class Job<T extends @Nullable Object> {
        private final Supplier<T> work;
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private final Tx tx = new Tx(prepared, Tx.Purpose.WRITING);
        private @Nullable Supplier<T> outcome;

        Job(Supplier<T> work) {
            this.work = work;
        }

        void run() {
            T value = tx.run(work);
            outcome = () -> value;
        }

        void committed() {
            if (outcome == null) return;
            answer.complete(outcome.get());
            try {
                tx.topics().forEach(onCommit);
            } catch (RuntimeException e) {
                // A lost signal costs time, never truth; a lost writer would cost everything.
                LOG.log(System.Logger.Level.ERROR, "telling of a commit", e);
            }
        }

        void failed(Throwable cause) {
            outcome = null;
            answer.completeExceptionally(cause);
        }
    }

    <T extends @Nullable Object> T submit(Supplier<T> work) {
        courtesy.someoneElse();
        return queue(work);
    }

    /** Others go first. */
    <T extends @Nullable Object> T aside(Supplier<T> work) {
        return courtesy.inTurn(() -> queue(work));
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    private <T extends @Nullable Object> T queue(Supplier<T> work) {
        var job = new Job<T>(work);
        try {
            waiting.put(job);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailed("interrupted before writing", e);
        }
        if (!open && waiting.remove(job)) {
            throw new StoreFailed("writing", new IllegalStateException("the database is closed"));
        }
        try {
            return job.answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) throw cause;
            throw e;
        }
    }

    void close() {
        open = false;
        courtesy.close();
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS_MAX));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve() {
        while (open || !waiting.isEmpty()) {
            try {
                var first = open ? waiting.take() : waiting.poll();
                if (first != null) commit(first);
            } catch (InterruptedException _) {
                // Only close() interrupts; the loop's condition decides what is left to do.
            }
        }
    }

    private void commit(Job<?> first) {
        var batch = new ArrayList<Job<?>>();
        batch.add(first);
        try {
            prepared.execute("begin immediate");
            runAll(batch);
            prepared.execute("commit");
        } catch (SQLException | StoreFailed e) {
            rollBack();
            var failure = new StoreFailed("committing " + batch.size() + " writes", e);
            batch.forEach(job -> job.failed(failure));
            return;
        }
        batch.forEach(Job::committed);
        committed.run();
    }

    private void runAll(List<Job<?>> batch) throws SQLException {
        long until = System.nanoTime() + BATCH_NANOS_MAX;
        Job<?> next = batch.getFirst();
        while (next != null) {
            runAlone(next);
            boolean full = batch.size() >= BATCH_CALLERS_MAX || System.nanoTime() > until;
            next = full ? null : waiting.poll();
            if (next != null) batch.add(next);
        }
    }

    /**
     * Anything a caller's own work throws is that caller's; what the savepoint throws is
     * everyone's.
     */
    private void runAlone(Job<?> job) throws SQLException {
        prepared.execute("savepoint caller");
        try {
            job.run();
        } catch (RuntimeException | Error e) {
            prepared.execute("rollback to caller");
            prepared.execute("release caller");
            job.failed(e);
            return;
        }
        prepared.execute("release caller");
    }

    private void rollBack() {
        try (var statement = connection.createStatement()) {
            statement.execute("rollback");
        } catch (SQLException _) {
            // A full disk has often rolled back already; there is nothing left to undo then.
        }
    }
}
