package dev.coppice.operations;

import dev.coppice.kernel.Topic;
import dev.coppice.request.TopicNotifier;
import dev.coppice.request.Wait;
import dev.coppice.thread.Deadline;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits until a subject is over; checks again whenever its topic is signalled. */
public record Watch(TopicNotifier notifier, InstantSource clock) {
    /** A subject to wait for, and its views before and after the end. */
    public record Subject(
            Topic topic, BooleanSupplier isOver, Supplier<Object> before, Supplier<Object> after) {}

    public Wait until(Subject subject, Duration patience) {
        var until = Deadline.in(patience);
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

    private @Nullable Object within(Subject subject, Deadline until, Duration time)
            throws InterruptedException {
        var left = until.left();
        boolean last = left.compareTo(time) <= 0;
        boolean over = isOverWithin(subject, last ? left : time);
        return over || last || !notifier.isOpen() ? subject.after().get() : null;
    }

    /** A topic may be signalled several times before its subject is over. */
    private boolean isOverWithin(Subject subject, Duration time) throws InterruptedException {
        var until = Deadline.in(time);
        try (var subscription = notifier.subscribe(subject.topic())) {
            while (notifier.isOpen() && !subject.isOver().getAsBoolean()) {
                if (until.isOver()) return false;
                subscription.await(until.left());
            }
        }
        return true;
    }
}
