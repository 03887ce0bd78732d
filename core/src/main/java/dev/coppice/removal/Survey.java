package dev.coppice.removal;

import java.util.Map;
import java.util.TreeMap;

/** What hangs on a session: everything a person wants to know before it goes. */
public record Survey(
        Map<String, Long> sessionsByState,
        long runs,
        long liveRuns,
        long leases,
        long openCallbacks,
        long events,
        long eventBytes) {
    static final Survey NOTHING = new Survey(Map.of(), 0, 0, 0, 0, 0, 0);

    public Survey {
        sessionsByState = java.util.Collections.unmodifiableMap(new TreeMap<>(sessionsByState));
    }

    Removal.Taken taken() {
        return new Removal.Taken(sessions(), runs, events, eventBytes);
    }

    public long sessions() {
        return sessionsByState.values().stream().mapToLong(n -> n).sum();
    }
}
