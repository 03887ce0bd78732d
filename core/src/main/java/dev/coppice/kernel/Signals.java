package dev.coppice.kernel;

/** Raises a topic when the transaction under way commits. */
public interface Signals {
    void raise(Topic topic);
}
