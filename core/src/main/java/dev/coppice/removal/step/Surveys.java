package dev.coppice.removal.step;

import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.Survey;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Surveys that were requested, and those that were made. A survey is for the step in which it was
 * requested, because another coordinator may have moved the removal meanwhile.
 */
final class Surveys {
    private record Made(String step, Survey survey) {}

    private final Map<RemovalId, String> asked = new ConcurrentHashMap<>();
    private final Map<RemovalId, Made> made = new ConcurrentHashMap<>();
    private final Map<RemovalId, Survey> still = new ConcurrentHashMap<>();

    /** Takes the survey of the tree; requests it and returns null if it was not made yet. */
    @Nullable Survey takeOrRequest(Removal removal) {
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
