package dev.coppice.request;

import dev.coppice.kernel.Demands;
import dev.coppice.kernel.Topic;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Wakes threads that wait for a topic. A waiter subscribes first, then reads the store, then waits,
 * so that it misses no change in between.
 */
public final class TopicNotifier implements Consumer<Topic>, AutoCloseable {
    private final Map<Topic, Set<Subscription>> byTopic = new ConcurrentHashMap<>();

    /** All subscriptions, including those without a topic, which only {@link #close} wakes. */
    private final Set<Subscription> subscriptions = ConcurrentHashMap.newKeySet();

    /** The subscriptions for queued runs, the oldest first. */
    private final Set<Subscription> takers = new LinkedHashSet<>();

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
        if (topic instanceof Topic.RunQueued queued) wakeOne(queued);
        for (var subscription : byTopic.getOrDefault(topic, Set.of())) subscription.signal(topic);
    }

    /**
     * Wakes the longest waiting runner that can take the run. If each of them is being woken
     * already, the first is told of this run, too: it may have been woken for something else.
     */
    private void wakeOne(Topic.RunQueued queued) {
        synchronized (takers) {
            @Nullable Subscription waking = null;
            for (var taker : takers) {
                if (!taker.takes.test(queued.demands())) continue;
                if (!taker.isSignalled()) {
                    taker.signal(queued);
                    return;
                }
                if (waking == null) waking = taker;
            }
            if (waking != null) waking.signal(queued);
        }
    }

    public Subscription subscribe(Topic... topics) {
        return subscribed(new Subscription(Set.of(topics), _ -> false), topics);
    }

    /** Also subscribes for queued runs with such demands. Each run wakes only one subscriber. */
    public Subscription subscribeForRuns(Predicate<Demands> takes, Topic... topics) {
        var subscription = subscribed(new Subscription(Set.of(topics), takes), topics);
        synchronized (takers) {
            takers.add(subscription);
        }
        return subscription;
    }

    private Subscription subscribed(Subscription subscription, Topic... topics) {
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
        private final Predicate<Demands> takes;
        private final Set<Topic> signalled = ConcurrentHashMap.newKeySet();
        private final Semaphore signals = new Semaphore(0);

        private Subscription(Set<Topic> topics, Predicate<Demands> takes) {
            this.topics = topics;
            this.takes = takes;
        }

        private boolean isSignalled() {
            return signals.availablePermits() > 0;
        }

        private void signal(Topic topic) {
            signalled.add(topic);
            signal();
        }

        private void signal() {
            if (!isSignalled()) signals.release();
        }

        /**
         * True if a topic was signalled within {@code patience}. All signals until now count as
         * one.
         */
        public boolean await(Duration patience) throws InterruptedException {
            boolean isInTime = signals.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
            if (isInTime) signals.drainPermits();
            return isInTime;
        }

        /** Like {@link #await}, but returns the signalled topics. */
        public Set<Topic> awaitTopics(Duration patience) throws InterruptedException {
            if (!await(patience)) return Set.of();
            var found = Set.copyOf(signalled);
            signalled.removeAll(found);
            return found;
        }

        /**
         * Leaves these queued runs to other waiters, and all further ones until {@link #resume}.
         */
        public void passOn(Set<Topic> queued) {
            synchronized (takers) {
                takers.remove(this);
            }
            for (var topic : queued) {
                if (topic instanceof Topic.RunQueued) accept(topic);
            }
        }

        /** Lets queued runs wake this waiter again. */
        public void resume() {
            synchronized (takers) {
                takers.add(this);
            }
        }

        /** Passes on queued runs that this waiter has not looked at. */
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
            passOn(signalled);
        }
    }
}
