package dev.coppice.word;

/** The outcome that an event reports. */
public enum Ending {
    OK,
    FAILED
}
