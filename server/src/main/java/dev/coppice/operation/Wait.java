package dev.coppice.operation;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** An answer that comes later. */
public interface Wait {
    /** The answer, or null if it is not there within this time. */
    @Nullable Object within(Duration time) throws InterruptedException;

    /** What can be told before the answer is there. */
    default @Nullable Object soFar() {
        return null;
    }
}
