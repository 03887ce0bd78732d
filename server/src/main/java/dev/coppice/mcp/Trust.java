package dev.coppice.mcp;

import dev.coppice.access.Caller;
import dev.coppice.access.Validity;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Tells whether the token behind a stream is still valid. */
record Trust(Validity validity) {
    /** A token is checked at most this often. */
    private static final Duration EACH = Duration.ofSeconds(1);

    BooleanSupplier of(Caller caller) {
        return new BooleanSupplier() {
            private long last = System.nanoTime();

            @Override
            public boolean getAsBoolean() {
                if (System.nanoTime() - last < EACH.toNanos()) return true;
                last = System.nanoTime();
                return validity.isGood(caller);
            }
        };
    }
}
