package dev.coppice.kernel;

/** Raises a topic when the current transaction commits. */
public interface Signals {
    void raise(Topic topic);
}
