package dev.coppice.web;

import dev.coppice.kernel.Topic;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Wakes threads that wait for a topic. A waiter takes an ear first, then reads the store, then
 * listens, so that it misses no ring in between.
 */
public final class Bell implements Consumer<Topic>, AutoCloseable {
    private final Map<Topic, Set<Ear>> ears = new ConcurrentHashMap<>();

    /** All ears, including those without a topic, which only {@link #close} rings. */
    private final Set<Ear> everyone = ConcurrentHashMap.newKeySet();

    private volatile boolean open = true;

    public boolean isOpen() {
        return open;
    }

    /** Rings every ear a last time, so that no wait outlasts the shutdown. */
    @Override
    public void close() {
        open = false;
        everyone.forEach(Ear::ring);
    }

    @Override
    public void accept(Topic topic) {
        for (var ear : ears.getOrDefault(topic, Set.of())) ear.ring();
    }

    public Ear ear(Topic... topics) {
        var ear = new Ear(Set.of(topics));
        everyone.add(ear);
        for (var topic : topics) {
            ears.compute(
                    topic,
                    (_, there) -> {
                        var all = there == null ? ConcurrentHashMap.<Ear>newKeySet() : there;
                        all.add(ear);
                        return all;
                    });
        }
        return ear;
    }

    /** A waiter, registered for its topics until it is closed. */
    public final class Ear implements AutoCloseable {
        private final Set<Topic> topics;
        private final Semaphore rung = new Semaphore(0);

        private Ear(Set<Topic> topics) {
            this.topics = topics;
        }

        private void ring() {
            if (rung.availablePermits() == 0) rung.release();
        }

        /** True if it rang within {@code patience}. All rings until now count as one. */
        public boolean heard(Duration patience) throws InterruptedException {
            boolean heard = rung.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
            if (heard) rung.drainPermits();
            return heard;
        }

        @Override
        public void close() {
            everyone.remove(this);
            for (var topic : topics) {
                ears.computeIfPresent(
                        topic,
                        (_, there) -> {
                            there.remove(this);
                            return there.isEmpty() ? null : there;
                        });
            }
        }
    }
}
