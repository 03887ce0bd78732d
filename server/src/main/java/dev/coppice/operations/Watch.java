package dev.coppice.operations;

import dev.coppice.kernel.Topic;
import dev.coppice.operation.TopicNotifier;
import dev.coppice.operation.Wait;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits until a subject is over; checks again whenever its topic is signalled. */
public record Watch(TopicNotifier notifier, InstantSource clock) {
    /** A subject to wait for, and its views before and after the end. */
    public record Subject(
            Topic topic, BooleanSupplier isOver, Supplier<Object> before, Supplier<Object> after) {}

    public Wait until(Subject subject, Duration patience) {
        var until = clock.instant().plus(patience);
        return new Wait() {
            @Override
            public @Nullable Object within(Duration time) throws InterruptedException {
                return Watch.this.within(subject, until, time);
            }

            @Override
            public Object soFar() {
                return subject.before().get();
            }
        };
    }

    private @Nullable Object within(Subject subject, Instant until, Duration time)
            throws InterruptedException {
        var left = Duration.between(clock.instant(), until);
        boolean last = left.compareTo(time) <= 0;
        boolean over = isOverWithin(subject, last ? left : time);
        return over || last || !notifier.isOpen() ? subject.after().get() : null;
    }

    /** A topic may be signalled several times before its subject is over. */
    private boolean isOverWithin(Subject subject, Duration time) throws InterruptedException {
        long until = System.nanoTime() + time.toNanos();
        try (var subscription = notifier.subscribe(subject.topic())) {
            while (notifier.isOpen() && !subject.isOver().getAsBoolean()) {
                long left = until - System.nanoTime();
                if (left <= 0) return false;
                subscription.await(Duration.ofNanos(left));
            }
        }
        return true;
    }
}
