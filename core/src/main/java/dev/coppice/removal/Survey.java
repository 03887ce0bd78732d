package dev.coppice.removal;

import dev.coppice.session.StateWord;

import java.util.Map;
import java.util.TreeMap;

/**
 * Counts of everything that belongs to a session and its descendants, as shown before a removal.
 */
public record Survey(
        Map<String, Long> sessionsByState,
        long runs,
        long liveRuns,
        long leases,
        long openCallbacks,
        long events,
        long eventBytes,
        long outputBytes) {
    public static final Survey NOTHING = new Survey(Map.of(), 0, 0, 0, 0, 0, 0, 0);

    public Survey {
        sessionsByState = java.util.Collections.unmodifiableMap(new TreeMap<>(sessionsByState));
    }

    public Removal.Taken taken() {
        return new Removal.Taken(sessions(), runs, events, eventBytes);
    }

    /** True if no session is live, so that the counts do not grow. */
    public boolean isStill() {
        return liveRuns == 0 && StateWord.ALIVE.stream().noneMatch(sessionsByState::containsKey);
    }

    public long sessions() {
        return sessionsByState.values().stream().mapToLong(n -> n).sum();
    }
}
