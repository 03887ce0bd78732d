package dev.coppice.health;

import java.time.Instant;
import java.util.Map;

/** Counts objects for a monitor. Every method joins the current transaction. */
public interface Figures {
    /** Counts of sessions by the words of their states, without those that a removal covers. */
    Map<String, Long> sessions();

    /** Counts of runs that have not ended, by the words of their states. */
    Map<String, Long> runs();

    /** Counts of callbacks by the words of their states. */
    Map<String, Long> callbacks();

    /** Counts of alerts by the words of their kinds. */
    Map<String, Long> alerts();

    /** Counts the runners that were seen since a time. */
    long runners(Instant since);

    long openQuestions();

    long openRemovals();
}
