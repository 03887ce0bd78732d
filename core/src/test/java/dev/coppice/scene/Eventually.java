package dev.coppice.scene;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition with a deadline. The error contains what was last seen. */
public final class Eventually {
    /** The longest wait. Only failing tests reach it; passing ones may need more than a minute. */
    public static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final long LOOK_NANOS = 20_000_000;

    private Eventually() {}

    public static void await(BooleanSupplier condition, Supplier<String> seen) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > until) throw new AssertionError("timed out; " + seen.get());
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
