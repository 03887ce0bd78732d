package dev.coppice.store.engine;

import dev.coppice.kernel.CannotWrite;
import dev.coppice.kernel.Topic;
import dev.coppice.kernel.WriteUnderWay;
import dev.coppice.thread.Loops;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Group commit. Callers queue up. The single writer thread takes the waiting callers, runs them
 * with savepoints in between, commits once, and only then answers them all. A lone caller pays one
 * fsync; sixty-four callers share one.
 *
 * <p>If the work of one caller throws, only that work is rolled back and fails. If a commit fails,
 * all callers in the batch fail. A batch ends after {@link #BATCH_CALLERS_MAX} callers or {@link
 * #BATCH_NANOS_MAX}, whichever comes first, so that transactions stay bounded.
 */
final class Writer {
    private static final System.Logger LOG = System.getLogger("store");
    private static final int BATCH_CALLERS_MAX = 512;
    private static final long BATCH_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(25);
    private static final int WAITING_MAX = 10_000;
    private static final int CLOSE_SECONDS_MAX = 30;
    private static final int PROBE_MILLIS = 500;
    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(PROBE_MILLIS);

    /** A batch of this length counts as a pause: runners could not renew their leases meanwhile. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Background writes take milliseconds, a large restore some seconds. */
    private static final int SLOW_SECONDS = 10;

    private final WriteConnection connection;
    private final Runnable committed;
    private final Consumer<Topic> onCommit;
    private final BackgroundWrites background = new BackgroundWrites();
    private final BlockingDeque<Submission<?>> waiting = new LinkedBlockingDeque<>(WAITING_MAX);
    private final Thread thread;
    private volatile boolean open = true;
    private long probed;

    /** The failure that prevents writes, or null; only the writer thread sets it. */
    private volatile @Nullable StoreFailed trouble;

    private final AtomicLong pauses = new AtomicLong();
    private final SlowWrites slow = new SlowWrites();

    /** When the current batch began; zero between batches. */
    private volatile long busySince;

    Writer(WriteConnection connection, Runnable committed, Consumer<Topic> onCommit, Loops loops) {
        this.connection = connection;
        this.committed = committed;
        this.onCommit = onCommit;
        this.thread = loops.startOnPlatform("store-writer", this::isServing, this::serve);
    }

    /** The work of one caller, and its answer, which is given after the commit. */
    private final class Submission<T extends @Nullable Object> {
        private final Place place;
        private final Supplier<T> work;
        private final CompletableFuture<T> answer = new CompletableFuture<>();
        private @Nullable Tx tx;
        private @Nullable Supplier<T> outcome;

        Submission(Place place, Supplier<T> work) {
            this.place = place;
            this.work = work;
        }

        void run(Prepared prepared) {
            var own = new Tx(prepared);
            tx = own;
            Supplier<T> within = () -> WriteUnderWay.during(() -> own.run(work));
            T value = place == Place.BACKGROUND ? within.get() : slow.measured(work, within);
            outcome = () -> value;
        }

        void committed() {
            if (outcome == null || tx == null) return;
            answer.complete(outcome.get());
            try {
                tx.topics().forEach(onCommit);
            } catch (RuntimeException | Error e) {
                // A lost signal only delays a reader; the callers after this one wait for answers.
                LOG.log(System.Logger.Level.ERROR, "sending the signals of a commit", e);
            }
        }

        void failed(Throwable cause) {
            outcome = null;
            answer.completeExceptionally(cause);
        }
    }

    /** The place of a submission among those that wait. */
    private enum Place {
        FIRST,
        LAST,
        BACKGROUND
    }

    <T extends @Nullable Object> T submit(Supplier<T> work) {
        background.countForegroundWrite();
        return queue(Place.LAST, work);
    }

    <T extends @Nullable Object> T submitFirst(Supplier<T> work) {
        background.countForegroundWrite();
        return queue(Place.FIRST, work);
    }

    /** Writes with low priority, after foreground writes. */
    <T extends @Nullable Object> T writeInBackground(Supplier<T> work) {
        return background.yieldAndRun(() -> queue(Place.BACKGROUND, work));
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /** The number of failed batches and of batches longer than {@link #PAUSE_NANOS}. */
    long pauses() {
        return pauses.get();
    }

    long slowWrites() {
        return slow.count();
    }

    /** The reason why writes are not being answered, if there is one. */
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

    private <T extends @Nullable Object> T queue(Place place, Supplier<T> work) {
        var submission = new Submission<T>(place, work);
        try {
            if (place == Place.FIRST) waiting.putFirst(submission);
            else waiting.putLast(submission);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailed("interrupted before writing", e);
        }
        if (!open && waiting.remove(submission)) {
            throw new StoreFailed("writing", new IllegalStateException("the database is closed"));
        }
        try {
            return submission.answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) throw cause;
            throw e;
        }
    }

    void close() {
        open = false;
        background.close();
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS_MAX));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isServing() {
        return open || !waiting.isEmpty();
    }

    private void serve() {
        try {
            var cause = trouble;
            var first = next(cause);
            if (cause != null && open) refuseOrProbe(first, cause);
            else if (first != null) commit(first);
        } catch (InterruptedException _) {
            // Only close() interrupts; the waiting submissions are still written.
        }
    }

    private @Nullable Submission<?> next(@Nullable Throwable cause) throws InterruptedException {
        if (!open) return waiting.poll();
        return cause == null ? waiting.take() : waiting.poll(PROBE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /**
     * Refuses callers at once between probes, so that none waits until the disk has space again.
     */
    private void refuseOrProbe(@Nullable Submission<?> first, StoreFailed cause) {
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

    private void commit(Submission<?> first) {
        var batch = new ArrayList<Submission<?>>();
        batch.add(first);
        long began = System.nanoTime();
        busySince = began;
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
            if (System.nanoTime() - began > PAUSE_NANOS) pauses.incrementAndGet();
        }
        batch.forEach(Submission::committed);
        committed.run();
    }

    private void failed(List<Submission<?>> batch, Throwable e) {
        var failure = new StoreFailed("committing " + batch.size() + " writes", e);
        pauses.incrementAndGet();
        LOG.log(System.Logger.Level.ERROR, "nothing can be written; will try again", e);
        trouble = failure;
        var refusal = refusal(failure);
        batch.forEach(submission -> submission.failed(refusal));
        probe();
    }

    private void runAll(List<Submission<?>> batch) throws SQLException {
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

    /** The state of the other callers' work in the current transaction. */
    private enum Others {
        NONE,
        UNMARKED,
        MARKED
    }

    /**
     * Runs one job. A failure of its own work fails that job only; a failure to roll it back fails
     * the batch. Needs no savepoint while the transaction holds no other work.
     */
    private Others run(Submission<?> submission, Others others) throws SQLException {
        if (others == Others.UNMARKED) connection.mark();
        if (others == Others.MARKED) connection.moveMark();
        try {
            submission.run(connection.prepared());
            return others == Others.NONE ? Others.UNMARKED : Others.MARKED;
        } catch (RuntimeException | Error e) {
            if (others == Others.NONE) {
                connection.undo();
                connection.begin();
            } else {
                connection.backToMark();
            }
            submission.failed(e);
            return others == Others.NONE ? Others.NONE : Others.MARKED;
        }
    }
}
