package dev.coppice.kernel;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * All or nothing. Whatever the ports do inside {@code write} is committed together, before it
 * returns, or not at all when the work throws. Inside a transaction the ports act on it without
 * being told; a {@code write} within a {@code write} joins it.
 */
public interface Transactions {
    <T extends @Nullable Object> T write(Supplier<T> work);

    /**
     * A {@code write} of which many follow each other: where they would keep others from writing,
     * the others go first.
     */
    default <T extends @Nullable Object> T aside(Supplier<T> work) {
        return write(work);
    }

    /** Whether someone may want to write, so that a piece should end; asked within one. */
    default boolean othersWait() {
        return true;
    }

    /** Writes that failed so far through no fault of their caller, such as on a full disk. */
    default long failedWrites() {
        return 0;
    }

    <T extends @Nullable Object> T read(Supplier<T> work);
}
