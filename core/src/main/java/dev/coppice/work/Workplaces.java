package dev.coppice.work;

/** Where sessions have worked. Acts within the transaction under way. */
public interface Workplaces {
    /** Noting the same place twice notes it once. */
    void note(Workplace place);
}
