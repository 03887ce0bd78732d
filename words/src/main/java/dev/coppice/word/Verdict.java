package dev.coppice.word;

/** A decision about the use of a tool. */
public enum Verdict {
    ALLOW,
    DENY,
    /** A person is asked, even if the program would not ask. */
    ASK
}
