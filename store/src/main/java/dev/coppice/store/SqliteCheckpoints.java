package dev.coppice.store;

import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Moves what was committed from the log into the database file while the writer goes on. The writer
 * would do that by itself after every thousand pages, and keep everyone waiting for as long as a
 * dozen commits take; so it is done here, often, and the writer is left the little that came since
 * when the log has grown long enough to begin it anew. Once little was written for a while all of
 * it is moved, and the log emptied: what was purged is then in neither.
 */
final class SqliteCheckpoints {
    /** Pages in the log, 32 MB, at which the writer moves the rest and begins it anew. */
    static final int LOG_PAGES = 8_000;

    private static final System.Logger LOG = System.getLogger("store");
    private static final int COMMITS = 32;
    private static final int QUIET_SECONDS = 5;

    private final Prepared prepared;
    private final Semaphore due = new Semaphore(0);
    private final Thread thread;
    private final AtomicInteger commits = new AtomicInteger();
    private volatile boolean open = true;

    SqliteCheckpoints(Prepared prepared) {
        this.prepared = prepared;
        this.thread = SqliteDatabase.named("sqlite-checkpoints").newThread(this::serve);
        thread.start();
    }

    /** The writer alone says so. */
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

    private void serve() {
        prepare();
        int emptied = 0;
        while (true) {
            boolean isQuiet = !isDue();
            due.drainPermits();
            if (!open) return;
            int now = commits.get();
            if (!isQuiet) move("passive");
            else if (now != emptied && move("truncate")) emptied = now;
        }
    }

    private boolean isDue() {
        try {
            return due.tryAcquire(QUIET_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            open = false;
            return false;
        }
    }

    /** Whoever reads or writes just then is not kept waiting. */
    private void prepare() {
        try (var row = prepared.of("pragma busy_timeout = 0").executeQuery()) {
            row.next();
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.WARNING, "preparing to move the log", e);
        }
    }

    /** Whether nobody was in the way. */
    private boolean move(String how) {
        try (var row = prepared.of("pragma wal_checkpoint(" + how + ")").executeQuery()) {
            return row.next() && row.getInt(1) == 0;
        } catch (SQLException e) {
            // Nothing is lost: it stays in the log, and the next one takes it along.
            LOG.log(System.Logger.Level.DEBUG, "moving the log into the database", e);
            return false;
        }
    }
}
