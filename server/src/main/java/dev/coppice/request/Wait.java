package dev.coppice.request;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Function;

/** An answer that is not ready yet. */
public interface Wait extends AutoCloseable {
    Duration SILENCE_MAX = Duration.ofSeconds(15);

    /**
     * Returns the answer, or null if it is not ready within this time. Once it is ready, later
     * calls return it too.
     */
    @Nullable Object within(Duration time) throws InterruptedException;

    /** The time after which each side is shown that the other is still connected. */
    default Duration silenceMax() {
        return SILENCE_MAX;
    }

    /** The state until the answer is ready; null if there is nothing to show. */
    default @Nullable Object soFar() {
        return null;
    }

    /** True if the memory of the answer is taken already. */
    default boolean hasRoom() {
        return false;
    }

    /** This wait, with its answer converted. */
    default Wait then(Function<Object, Object> convert) {
        var first = this;
        return new Wait() {
            @Override
            public @Nullable Object within(Duration time) throws InterruptedException {
                var value = first.within(time);
                return value == null ? null : convert.apply(value);
            }

            @Override
            public boolean hasRoom() {
                return first.hasRoom();
            }

            @Override
            public void close() {
                first.close();
            }
        };
    }

    /** Called once, when the wait is over or given up. */
    @Override
    default void close() {}
}
