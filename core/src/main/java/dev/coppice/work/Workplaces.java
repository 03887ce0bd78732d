package dev.coppice.work;

import java.time.Instant;

/** Where sessions have worked. Acts within the transaction under way. */
public interface Workplaces {
    /** Noting the same place twice notes it once. */
    void note(Workplace place);

    /**
     * Whether a directory may change by itself: someone works there, below it or above it, who was
     * there by that time and had not ended before.
     */
    boolean isInUse(String host, String directory, Instant by);
}
