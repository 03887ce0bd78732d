package dev.coppice.operation;

import dev.coppice.kernel.Topic;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Wakes threads that wait for a topic. A waiter subscribes first, then reads the store, then waits,
 * so that it misses no change in between.
 */
public final class TopicNotifier implements Consumer<Topic>, AutoCloseable {
    private final Map<Topic, Set<Subscription>> byTopic = new ConcurrentHashMap<>();

    /** All subscriptions, including those without a topic, which only {@link #close} wakes. */
    private final Set<Subscription> subscriptions = ConcurrentHashMap.newKeySet();

    private volatile boolean open = true;

    public boolean isOpen() {
        return open;
    }

    /** Wakes every subscription a last time, so that no wait outlasts the shutdown. */
    @Override
    public void close() {
        open = false;
        subscriptions.forEach(Subscription::signal);
    }

    @Override
    public void accept(Topic topic) {
        for (var subscription : byTopic.getOrDefault(topic, Set.of())) subscription.signal();
    }

    public Subscription subscribe(Topic... topics) {
        var subscription = new Subscription(Set.of(topics));
        subscriptions.add(subscription);
        for (var topic : topics) {
            byTopic.compute(
                    topic,
                    (_, there) -> {
                        var all =
                                there == null ? ConcurrentHashMap.<Subscription>newKeySet() : there;
                        all.add(subscription);
                        return all;
                    });
        }
        return subscription;
    }

    /** A waiter, registered for its topics until it is closed. */
    public final class Subscription implements AutoCloseable {
        private final Set<Topic> topics;
        private final Semaphore signals = new Semaphore(0);

        private Subscription(Set<Topic> topics) {
            this.topics = topics;
        }

        private void signal() {
            if (signals.availablePermits() == 0) signals.release();
        }

        /**
         * True if a topic was signalled within {@code patience}. All signals until now count as
         * one.
         */
        public boolean await(Duration patience) throws InterruptedException {
            boolean signalled = signals.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
            if (signalled) signals.drainPermits();
            return signalled;
        }

        @Override
        public void close() {
            subscriptions.remove(this);
            for (var topic : topics) {
                byTopic.computeIfPresent(
                        topic,
                        (_, there) -> {
                            there.remove(this);
                            return there.isEmpty() ? null : there;
                        });
            }
        }
    }
}
