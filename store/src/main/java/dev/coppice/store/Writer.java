package dev.coppice.store;

import dev.coppice.kernel.CannotWrite;
import dev.coppice.kernel.Topic;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Group commit. Callers queue up; the one writer thread takes whoever is there, runs each after a
 * savepoint, commits once, and only then answers them all. So one caller pays one fsync and
 * sixty-four callers share one.
 *
 * <p>A caller whose work throws is rolled back to the savepoint and fails alone. A commit that
 * fails fails everyone it carried. A batch ends after {@link #BATCH_CALLERS_MAX} callers or {@link
 * #BATCH_NANOS_MAX}, whichever comes first, so that no transaction grows without bound.
 */
final class Writer {
    private static final System.Logger LOG = System.getLogger("store");
    private static final int BATCH_CALLERS_MAX = 512;
    private static final long BATCH_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(25);
    private static final int WAITING_MAX = 10_000;
    private static final int CLOSE_SECONDS_MAX = 30;
    private static final int PROBE_MILLIS = 500;
    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(PROBE_MILLIS);

    /** Housework takes milliseconds, a large restore some seconds. */
    private static final int SLOW_SECONDS = 10;

    private final WriteConnection connection;
    private final Runnable committed;
    private final Consumer<Topic> onCommit;
    private final BackgroundWrites courtesy = new BackgroundWrites();
    private final BlockingQueue<Job<?>> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final Thread thread;
    private volatile boolean open = true;
    private long probed;

    /** Why nothing can be written, while that is so; only the writer thread changes it. */
    private volatile @Nullable StoreFailed trouble;

    private final AtomicLong failures = new AtomicLong();

    /** When the batch under way began; zero between two. */
    private volatile long busySince;

    Writer(WriteConnection connection, Runnable committed, Consumer<Topic> onCommit) {
        this.connection = connection;
        this.committed = committed;
        this.onCommit = onCommit;
        this.thread = Thread.ofPlatform().daemon().name("store-writer").unstarted(this::serve);
        thread.start();
    }

    /** One caller's work, and where its answer goes once it is safe. */
    private final class Job<T extends @Nullable Object> {
        private final Supplier<T> work;
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private @Nullable Tx tx;
        private @Nullable Supplier<T> outcome;

        Job(Supplier<T> work) {
            this.work = work;
        }

        void run(Prepared prepared) {
            tx = new Tx(prepared);
            T value = tx.run(work);
            outcome = () -> value;
        }

        void committed() {
            if (outcome == null || tx == null) return;
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

    long failures() {
        return failures.get();
    }

    /** What keeps writes from being answered, if anything does. */
    Optional<String> condition() {
        var cause = trouble;
        if (cause != null) return Optional.of("nothing can be written: " + reason(cause));
        long since = busySince;
        long seconds = since == 0 ? 0 : TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since);
        return seconds < SLOW_SECONDS
                ? Optional.empty()
                : Optional.of("one write has taken %d s so far".formatted(seconds));
    }

    private static String reason(Throwable e) {
        var cause = e.getCause();
        return cause == null ? String.valueOf(e.getMessage()) : reason(cause);
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
                var cause = trouble;
                var first = next(cause);
                if (cause != null && open) refuseOrProbe(first, cause);
                else if (first != null) commit(first);
            } catch (InterruptedException _) {
                // Only close() interrupts; the loop's condition decides what is left to do.
            } catch (RuntimeException | Error e) {
                // Without this thread the process would be up and answer nobody.
                LOG.log(System.Logger.Level.ERROR, "the writer goes on after a failure", e);
            }
        }
    }

    private @Nullable Job<?> next(@Nullable Throwable cause) throws InterruptedException {
        if (!open) return waiting.poll();
        return cause == null ? waiting.take() : waiting.poll(PROBE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Between two probes every caller is refused at once: none waits for a disk to be cleared. */
    private void refuseOrProbe(@Nullable Job<?> first, StoreFailed cause) {
        if (first == null || System.nanoTime() - probed > PROBE_NANOS) probe();
        if (first == null) return;
        if (trouble == null) commit(first);
        else first.failed(refusal(cause));
    }

    private static CannotWrite refusal(StoreFailed cause) {
        return new CannotWrite(reason(cause), cause);
    }

    private void probe() {
        probed = System.nanoTime();
        try {
            connection.begin();
            connection.touch();
            connection.commit();
        } catch (SQLException | RuntimeException _) {
            connection.rollBack();
            return;
        }
        trouble = null;
        LOG.log(System.Logger.Level.INFO, "writing works again");
    }

    private void commit(Job<?> first) {
        var batch = new ArrayList<Job<?>>();
        batch.add(first);
        busySince = System.nanoTime();
        try {
            connection.begin();
            runAll(batch);
            connection.commit();
        } catch (SQLException | RuntimeException | Error e) {
            connection.rollBack();
            failed(batch, e);
            return;
        } finally {
            busySince = 0;
        }
        batch.forEach(Job::committed);
        committed.run();
    }

    private void failed(List<Job<?>> batch, Throwable e) {
        var failure = new StoreFailed("committing " + batch.size() + " writes", e);
        failures.incrementAndGet();
        LOG.log(System.Logger.Level.ERROR, "nothing can be written; will try again", e);
        trouble = failure;
        var refusal = refusal(failure);
        batch.forEach(job -> job.failed(refusal));
        probe();
    }

    private void runAll(List<Job<?>> batch) throws SQLException {
        long until = System.nanoTime() + BATCH_NANOS_MAX;
        var next = batch.getFirst();
        var others = Others.NONE;
        while (next != null) {
            others = run(next, others);
            boolean full = batch.size() >= BATCH_CALLERS_MAX || System.nanoTime() > until;
            next = full ? null : waiting.poll();
            if (next != null) batch.add(next);
        }
    }

    /** Whose work is in the transaction already, and what protects it. */
    private enum Others {
        NONE,
        UNMARKED,
        MARKED
    }

    /**
     * Anything a caller's own work throws is that caller's; what taking it back throws is
     * everyone's. Where nobody else's work is in the transaction there is nothing to protect.
     */
    private Others run(Job<?> job, Others others) throws SQLException {
        if (others == Others.UNMARKED) connection.mark();
        if (others == Others.MARKED) connection.moveMark();
        try {
            job.run(connection.prepared());
            return others == Others.NONE ? Others.UNMARKED : Others.MARKED;
        } catch (RuntimeException | Error e) {
            if (others == Others.NONE) {
                connection.undo();
                connection.begin();
            } else {
                connection.backToMark();
            }
            job.failed(e);
            return others == Others.NONE ? Others.NONE : Others.MARKED;
        }
    }
}
