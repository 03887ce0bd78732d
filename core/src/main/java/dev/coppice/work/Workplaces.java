package dev.coppice.work;

import java.util.List;

/** The directories in which sessions worked. Every method joins the current transaction. */
public interface Workplaces {
    /** Records a directory. Repeating it changes nothing. */
    void note(Workplace place);

    /** True if a session works in the directory, below it or above it, so that it may change. */
    boolean isInUse(String host, String directory);

    /** True if Coppice created the directory for a session. */
    boolean isMade(String host, String directory);

    /** Records the states of directories with which a removal was confirmed. */
    void confirmed(String removal, List<WorkItem.State> states);

    List<WorkItem.State> confirmed(String removal);

    void forgetConfirmed(String removal);
}
