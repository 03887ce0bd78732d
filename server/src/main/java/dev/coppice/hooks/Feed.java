package dev.coppice.hooks;

import dev.coppice.kernel.Topic;
import dev.coppice.kernel.Transactions;
import dev.coppice.observe.Observations;
import dev.coppice.observe.Observations.Sent;
import dev.coppice.operation.TopicNotifier;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads new events once for all sockets, while there are any, and keeps the newest of them. A
 * socket that falls behind these is closed: its page connects again, and begins with the newest
 * events.
 */
final class Feed implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("hooks");
    private static final int NEWEST_MAX = 4096;
    private static final long NEWEST_CHARS_MAX = 16L * 1024 * 1024;
    private static final int READ_MAX = 500;

    /** The interval of looks without a signal: another coordinator may have written. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Transactions transactions;
    private final Observations observations;
    private final TopicNotifier notifier;
    private final ArrayDeque<Item> newest = new ArrayDeque<>();
    private final Object news = new Object();
    private int followers;
    private long chars;
    private long from;
    private long upTo;
    private volatile boolean open = true;
    private @Nullable Thread reader;

    Feed(Transactions transactions, Observations observations, TopicNotifier notifier) {
        this.transactions = transactions;
        this.observations = observations;
        this.notifier = notifier;
    }

    /** An event, or a person's answer to one, with its text, which the first socket encodes. */
    static final class Item {
        private final long number;
        private final Sent event;
        private volatile @Nullable String text;

        Item(long number, Sent event) {
            this.number = number;
            this.event = event;
        }

        long number() {
            return number;
        }

        Sent event() {
            return event;
        }

        String text() {
            var ready = text;
            if (ready == null) {
                ready = "{\"type\":\"event\",\"data\":" + SentText.of(event) + "}";
                text = ready;
            }
            return ready;
        }
    }

    /** Keeps what is new from now on, for a while. */
    void join() {
        synchronized (news) {
            if (followers++ > 0) return;
            newest.clear();
            chars = 0;
            upTo = transactions.read(observations::head);
            from = upTo;
            if (reader == null) {
                reader = Thread.ofVirtual().name("hook-feed").start(this::read);
            }
            news.notifyAll();
        }
    }

    void leave() {
        synchronized (news) {
            followers--;
        }
    }

    boolean isOpen() {
        return open;
    }

    /** Waits for events after a number; empty if some of them are forgotten. */
    Optional<List<Item>> after(long number, Duration patience) throws InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        synchronized (news) {
            while (open && upTo <= number) {
                long left = (until - System.nanoTime()) / 1_000_000;
                if (left <= 0) break;
                news.wait(left);
            }
            if (number < from) return Optional.empty();
            var found = new ArrayList<Item>();
            for (var items = newest.descendingIterator(); items.hasNext(); ) {
                var item = items.next();
                if (item.number() <= number) break;
                found.add(item);
            }
            return Optional.of(found.reversed());
        }
    }

    private void read() {
        try (var signal = notifier.subscribe(new Topic.JournalGrew())) {
            while (open) {
                boolean isIdle;
                synchronized (news) {
                    isIdle = followers == 0;
                }
                boolean isMore = !isIdle && readOn();
                if (!isMore) signal.await(LOOK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean readOn() {
        try {
            long after;
            synchronized (news) {
                after = upTo;
            }
            var page = transactions.read(() -> observations.after(after, READ_MAX));
            keep(after, page);
            return !page.items().isEmpty();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot read events; will retry", e);
            return false;
        }
    }

    private void keep(long after, Observations.News page) {
        synchronized (news) {
            // A socket that joined meanwhile has begun anew.
            if (upTo != after) return;
            for (var told : page.items()) {
                newest.add(new Item(told.number(), told.event()));
                chars += told.event().body().value().length();
            }
            upTo = page.upTo();
            while (newest.size() > NEWEST_MAX || chars > NEWEST_CHARS_MAX) {
                var oldest = newest.remove();
                chars -= oldest.event().body().value().length();
                from = oldest.number();
            }
            news.notifyAll();
        }
    }

    @Override
    public void close() {
        synchronized (news) {
            open = false;
            if (reader != null) reader.interrupt();
            news.notifyAll();
        }
    }
}
