package dev.coppice.kernel;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * Marks the thread that performs the work of a write. Every other writer waits for it, so slow work
 * calls {@link #forbid}: checks of callers' schemas, files, processes, requests.
 */
public final class WriteUnderWay {
    private static final ScopedValue<Boolean> HERE = ScopedValue.newInstance();

    private WriteUnderWay() {}

    /** Performs the work of a write. */
    public static <T extends @Nullable Object> T during(Supplier<T> work) {
        return ScopedValue.where(HERE, true).call(work::get);
    }

    /** Throws within a write. */
    public static void forbid(String slow) {
        if (HERE.isBound()) {
            throw new IllegalStateException(slow + " within a write, for which others wait");
        }
    }
}
