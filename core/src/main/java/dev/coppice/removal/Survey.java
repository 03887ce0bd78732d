package dev.coppice.removal;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** What hangs on a session: everything a person wants to know before it goes. */
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

    /** Whether nobody in it is alive, who would say more. */
    boolean isStill() {
        return liveRuns == 0 && ALIVE.stream().noneMatch(sessionsByState::containsKey);
    }

    public long sessions() {
        return sessionsByState.values().stream().mapToLong(n -> n).sum();
    }

    /**
     * Those that were asked for, and those that were made: each is for the step in which it was
     * asked for, since another coordinator may have taken the removal on meanwhile.
     */
    static final class Book {
        private record Made(String step, Survey survey) {}

        private final Map<RemovalId, String> asked = new ConcurrentHashMap<>();
        private final Map<RemovalId, Made> made = new ConcurrentHashMap<>();
        private final Map<RemovalId, Survey> still = new ConcurrentHashMap<>();

        /** What hangs on it; or nothing yet, and it is asked for. */
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

        /** Whether there was anything to be made. */
        boolean make(RemovalId id, Supplier<Survey> survey) {
            var step = asked.remove(id);
            if (step == null) return false;
            made.put(id, new Made(step, survey.get()));
            return true;
        }

        /** Another coordinator may have taken the rest past their steps. */
        void keepOnly(Set<RemovalId> ids) {
            made.keySet().retainAll(ids);
            still.keySet().retainAll(ids);
        }
    }
}
