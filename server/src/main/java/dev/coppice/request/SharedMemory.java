package dev.coppice.request;

/** Memory that callers share, for what an operation makes of more than its input. */
public interface SharedMemory {
    /** Waits for bytes. Rejects more than one caller can have, and too long a wait. */
    void take(String caller, long bytes);

    void give(String caller, long bytes);
}
