package dev.coppice.journal;

import dev.coppice.kernel.Transactions;

/** Adds new events to the index, outside of the transactions that store them. */
public final class IndexEvents {
    private static final int EVENTS_AT_ONCE = 500;

    private final Transactions transactions;
    private final EventIndex index;

    public IndexEvents(Transactions transactions, EventIndex index) {
        this.transactions = transactions;
        this.index = index;
    }

    /** Adds some of them; returns how many events were read. */
    public int sweep() {
        var unread = transactions.read(() -> index.unread(EVENTS_AT_ONCE));
        if (unread.lines().isEmpty()) return 0;
        transactions.writeInBackground(() -> {
            index.add(unread);
            return unread;
        });
        return unread.lines().size();
    }
}
