package dev.coppice.operation;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** An answer that is not ready yet. */
public interface Wait {
    /** Returns the answer, or null if it is not ready within this time. */
    @Nullable Object within(Duration time) throws InterruptedException;

    /** The state until the answer is ready; null if there is nothing to show. */
    default @Nullable Object soFar() {
        return null;
    }
}
