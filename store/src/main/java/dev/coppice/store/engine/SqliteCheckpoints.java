package dev.coppice.store.engine;

import dev.coppice.thread.Loops;

import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Copies committed pages from the log into the database file beside the writer. SQLite would do so
 * in the writer after every thousand pages, and delay all callers for as long as a dozen commits
 * take. Frequent checkpoints here leave the writer only the latest pages when the log reaches
 * {@link #LOG_PAGES} and starts over. After a quiet period everything is copied and the log is
 * truncated, so that purged data is in neither file.
 */
final class SqliteCheckpoints {
    /** The log size, 32 MB, at which the writer copies the rest and starts the log over. */
    static final int LOG_PAGES = 8_000;

    private static final System.Logger LOG = System.getLogger("store");
    private static final int COMMITS = 32;
    private static final int QUIET_SECONDS = 5;

    private final Prepared prepared;
    private final Semaphore due = new Semaphore(0);
    private final Thread thread;
    private final AtomicInteger commits = new AtomicInteger();
    private volatile boolean open = true;

    /** The commits when the log was last truncated. */
    private int emptied;

    SqliteCheckpoints(Prepared prepared, Loops loops) {
        this.prepared = prepared;
        prepare();
        this.thread = loops.startOnPlatform("sqlite-checkpoints", () -> open, this::serve);
    }

    /** Called by the writer thread only. */
    void committed() {
        if (commits.incrementAndGet() % COMMITS == 0) due.release();
    }

    void close() {
        open = false;
        due.release();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve() throws InterruptedException {
        boolean isQuiet = !due.tryAcquire(QUIET_SECONDS, TimeUnit.SECONDS);
        due.drainPermits();
        if (!open) return;
        int now = commits.get();
        if (!isQuiet) move("passive");
        else if (now != emptied && move("truncate")) emptied = now;
    }

    /** Sets no busy timeout: a checkpoint must not make a reader or the writer wait. */
    private void prepare() {
        try (var row = prepared.of("pragma busy_timeout = 0").executeQuery()) {
            row.next();
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.WARNING, "preparing checkpoints of the log", e);
        }
    }

    /** True if no reader or writer prevented it from finishing. */
    private boolean move(String how) {
        try (var row = prepared.of("pragma wal_checkpoint(" + how + ")").executeQuery()) {
            return row.next() && row.getInt(1) == 0;
        } catch (SQLException e) {
            // Nothing is lost: the pages stay in the log for the next checkpoint.
            LOG.log(System.Logger.Level.DEBUG, "checkpointing the log", e);
            return false;
        }
    }
}
