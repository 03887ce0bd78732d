package dev.coppice.follow;

import dev.coppice.journal.Journal;
import dev.coppice.kernel.Topic;
import dev.coppice.kernel.Transactions;
import dev.coppice.request.TopicNotifier;
import dev.coppice.session.Sessions;
import dev.coppice.thread.Loops;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads new journal entries once for all followers, and wakes them. */
public final class Tail implements AutoCloseable {
    private static final int ENTRIES_PER_READ_MAX = 1000;

    /** The interval of polls without a notification: another coordinator may have written. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Transactions transactions;
    private final Journal journal;
    private final TopicNotifier notifier;
    private final Sight sight;
    private final AtomicInteger followers = new AtomicInteger();
    private volatile Ring ring;
    private final Object news = new Object();

    private volatile boolean open = true;

    public Tail(
            Transactions transactions, Journal journal, Sessions sessions, TopicNotifier notifier) {
        this.transactions = transactions;
        this.journal = journal;
        this.notifier = notifier;
        this.sight = new Sight(transactions, sessions);
        this.ring = new Ring(transactions.read(journal::head));
    }

    public void start(Loops loops) {
        var grown = notifier.subscribe(new Topic.JournalGrew());
        loops.start(
                "journal-tail",
                () -> open,
                () -> {
                    if (!read()) grown.await(LOOK);
                });
    }

    /** Adds a follower. The first one starts a new ring: no ring is filled without followers. */
    synchronized void join() {
        if (followers.get() == 0) {
            sight.forget();
            ring = new Ring(transactions.read(journal::head));
        }
        followers.incrementAndGet();
    }

    void leave() {
        followers.decrementAndGet();
    }

    boolean isOpen() {
        return open;
    }

    /** The places of sessions, as they were after each entry that was read, or later. */
    public Sight sight() {
        return sight;
    }

    Journal journal() {
        return journal;
    }

    Transactions transactions() {
        return transactions;
    }

    long last() {
        return ring.last();
    }

    /** True if sessions were hidden after this entry: entries read before may belong to them. */
    boolean hasHiddenSince(long number) {
        return ring.hasHiddenSince(number);
    }

    Optional<List<Item>> after(long number, long bytesMax) {
        return ring.after(number, bytesMax);
    }

    /** Waits until the journal has grown past a number, at most for {@code patience}. */
    void awaitPast(long number, Duration patience) throws InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        synchronized (news) {
            while (open && ring.last() <= number) {
                long left = (until - System.nanoTime()) / 1_000_000;
                if (left <= 0) return;
                news.wait(left);
            }
        }
    }

    /** Waits, unless the coordinator closes. */
    void pause(Duration length) throws InterruptedException {
        awaitPast(Long.MAX_VALUE, length);
    }

    /**
     * Reads new entries, and wakes the followers; false if there are none. Reads nothing without
     * followers, because reading would slow down every writer.
     */
    public boolean read() {
        if (!readMore()) return false;
        synchronized (news) {
            news.notifyAll();
        }
        return true;
    }

    private synchronized boolean readMore() {
        if (followers.get() == 0) return false;
        var found =
                transactions.read(
                        () -> journal.after(ring.last(), Journal.Scope.ALL, ENTRIES_PER_READ_MAX));
        // Forget the places that a move changes before a reader sees the move.
        found.forEach(sight::note);
        ring.add(found);
        return !found.isEmpty();
    }

    @Override
    public void close() {
        open = false;
        synchronized (news) {
            news.notifyAll();
        }
    }
}
