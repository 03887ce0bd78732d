package dev.coppice.journal;

import dev.coppice.kernel.Transactions;

/** Adds new events to the index, outside of the transactions that store them. */
public final class IndexEvents {
    private static final int EVENTS_AT_ONCE = 2_000;

    /** Other writers wait for one piece at most. */
    private static final int EVENTS_IN_A_PIECE = 100;

    /** More new events since the last look are a burst, which must not be slowed down. */
    private static final int BURST_MIN = 500;

    private final Transactions transactions;
    private final EventIndex index;
    private final Journal journal;
    private long head;

    public IndexEvents(Transactions transactions, EventIndex index, Journal journal) {
        this.transactions = transactions;
        this.index = index;
        this.journal = journal;
    }

    /**
     * Adds some events; returns how many. During a burst it returns zero, so that the next sweep
     * waits for its interval. Not thread-safe.
     */
    public int sweep() {
        long before = head;
        head = transactions.read(journal::head);
        boolean isBurst = head - before > BURST_MIN;
        int added = 0;
        while (added < EVENTS_AT_ONCE) {
            var unread = transactions.read(() -> index.unread(EVENTS_IN_A_PIECE));
            if (unread.lines().isEmpty()) break;
            transactions.writeInBackground(() -> {
                index.add(unread);
                return unread;
            });
            added += unread.lines().size();
        }
        return isBurst ? 0 : added;
    }
}
