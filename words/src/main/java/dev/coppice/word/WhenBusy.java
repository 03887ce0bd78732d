package dev.coppice.word;

/** The treatment of a message to a busy session. */
public enum WhenBusy {
    REJECT,
    QUEUE,
    INTERRUPT,
    /** The program hears it within its turn if it can; otherwise like {@code QUEUE}. */
    STEER
}
