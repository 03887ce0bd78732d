package dev.coppice.store;

import java.sql.SQLException;
import java.util.concurrent.Semaphore;

/**
 * Moves what was committed from the log into the database file while the writer goes on. The writer
 * would do that by itself after every thousand pages, and keep everyone waiting for as long as a
 * dozen commits take; so it is done here, often, and the writer is left the little that came since
 * when the log has grown long enough to begin it anew.
 */
final class SqliteCheckpoints {
    /** Pages in the log, 32 MB, at which the writer moves the rest and begins it anew. */
    static final int LOG_PAGES = 8_000;

    private static final System.Logger LOG = System.getLogger("store");
    private static final int COMMITS = 32;

    private final Prepared prepared;
    private final Semaphore due = new Semaphore(0);
    private final Thread thread;
    private int commits;
    private volatile boolean open = true;

    SqliteCheckpoints(Prepared prepared) {
        this.prepared = prepared;
        this.thread = SqliteDatabase.named("sqlite-checkpoints").newThread(this::serve);
        thread.start();
    }

    /** The writer alone says so. */
    void committed() {
        if (++commits % COMMITS == 0) due.release();
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
        while (true) {
            due.acquireUninterruptibly();
            due.drainPermits();
            if (!open) return;
            try (var row = prepared.of("pragma wal_checkpoint(passive)").executeQuery()) {
                row.next();
            } catch (SQLException e) {
                // Nothing is lost: it stays in the log, and the next one takes it along.
                LOG.log(System.Logger.Level.DEBUG, "moving the log into the database", e);
            }
        }
    }
}
