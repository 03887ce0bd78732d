package dev.coppice.store.text;

import dev.coppice.journal.SearchText;
import dev.coppice.store.engine.Sql;

import java.util.List;

/**
 * The full-text index of events. Its SQL differs between the databases, but both have a table
 * {@code event_text} with the number of the event as {@code rowid}.
 */
public interface TextIndex {
    /**
     * Adds the row of an event that still exists: {@code :number}, {@code :words}, {@code :marks}.
     */
    Sql put();

    /** The condition of rows that {@code :query} finds. */
    String condition();

    /**
     * The query for events with all marks of the first list, one of each other list, and the text.
     */
    String query(List<String> marks, List<List<String>> choices, SearchText text);
}
