package dev.coppice.journal;

/** The number of the last entry that a reader of the journal has processed. */
public interface Bookmark {
    /** Joins the current transaction. */
    long number();

    /** False if another coordinator has moved it. Joins the current transaction. */
    boolean move(long from, long to);
}
