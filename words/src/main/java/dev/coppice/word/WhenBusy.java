package dev.coppice.word;

/** The treatment of a message to a busy session. */
public enum WhenBusy {
    REJECT,
    QUEUE,
    INTERRUPT,
    /** Heard within the turn where the program can; else like {@code QUEUE}. */
    STEER
}
