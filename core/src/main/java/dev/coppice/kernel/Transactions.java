package dev.coppice.kernel;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * Runs work in transactions. Everything the ports do inside {@code write} is committed together
 * before it returns, or rolled back if the work throws. The ports find the current transaction by
 * themselves. A {@code write} within a {@code write} joins it.
 */
public interface Transactions {
    <T extends @Nullable Object> T write(Supplier<T> work);

    /** A {@code write} of a long series, which lets the writes of other callers go first. */
    default <T extends @Nullable Object> T writeInBackground(Supplier<T> work) {
        return write(work);
    }

    /** A {@code write} that goes before all waiting ones. */
    default <T extends @Nullable Object> T writeBeforeOthers(Supplier<T> work) {
        return write(work);
    }

    /** True if another write may be waiting, so that this piece of a series should end. */
    default boolean othersWait() {
        return true;
    }

    /**
     * Counts pauses of writing: writes that failed through no fault of the caller, such as on a
     * full disk, and writes that made others wait for seconds.
     */
    default long writePauses() {
        return 0;
    }

    /** Counts the writes that took longer than others should have to wait. */
    default long slowWrites() {
        return 0;
    }

    <T extends @Nullable Object> T read(Supplier<T> work);
}
