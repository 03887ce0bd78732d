package dev.coppice.removal;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

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
        long eventBytes) {
    private static final Set<String> ALIVE = Set.of("pending", "running", "idle", "stopping");
    static final Survey NOTHING = new Survey(Map.of(), 0, 0, 0, 0, 0, 0);

    public Survey {
        sessionsByState = java.util.Collections.unmodifiableMap(new TreeMap<>(sessionsByState));
    }

    Removal.Taken taken() {
        return new Removal.Taken(sessions(), runs, events, eventBytes);
    }

    /** True if no session is live, so that the counts do not grow. */
    boolean isStill() {
        return liveRuns == 0 && ALIVE.stream().noneMatch(sessionsByState::containsKey);
    }

    public long sessions() {
        return sessionsByState.values().stream().mapToLong(n -> n).sum();
    }

    /**
     * Surveys that were requested, and those that were made. A survey is for the step in which it
     * was requested, because another coordinator may have moved the removal meanwhile.
     */
    static final class Requests {
        private record Made(String step, Survey survey) {}

        private final Map<RemovalId, String> asked = new ConcurrentHashMap<>();
        private final Map<RemovalId, Made> made = new ConcurrentHashMap<>();
        private final Map<RemovalId, Survey> still = new ConcurrentHashMap<>();

        /** Returns the survey of the tree, or requests it and returns null. */
        @Nullable Survey of(Removal removal) {
            var step = removal.state().word();
            var found = made.remove(removal.id());
            if (found != null && found.step().equals(step)) {
                if (found.survey().isStill()) still.put(removal.id(), found.survey());
                return found.survey();
            }
            var before = still.get(removal.id());
            if (before == null) asked.put(removal.id(), step);
            return before;
        }

        boolean isAsked(RemovalId id) {
            return asked.containsKey(id);
        }

        /** Makes the survey if it was requested; true if it was. */
        boolean make(RemovalId id, Supplier<Survey> survey) {
            var step = asked.remove(id);
            if (step == null) return false;
            made.put(id, new Made(step, survey.get()));
            return true;
        }

        /** Drops the surveys of all other removals: another coordinator may have moved them on. */
        void keepOnly(Set<RemovalId> ids) {
            made.keySet().retainAll(ids);
            still.keySet().retainAll(ids);
        }
    }
}
