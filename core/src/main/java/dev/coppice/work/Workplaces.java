package dev.coppice.work;

import java.util.List;

/** Where sessions have worked. Acts within the transaction under way. */
public interface Workplaces {
    /** Noting the same place twice notes it once. */
    void note(Workplace place);

    /** Whether a directory may change by itself: someone works there, below it or above it. */
    boolean isInUse(String host, String directory);

    /** Remembers how these directories were when a removal was confirmed. */
    void confirmed(String removal, List<WorkItem.State> states);

    List<WorkItem.State> confirmed(String removal);

    void forgetConfirmed(String removal);
}
