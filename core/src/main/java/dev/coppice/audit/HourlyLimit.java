package dev.coppice.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Bounds what each caller adds to the audit in an hour: its records cannot be deleted. No count is
 * dropped before its hour is over, or callers that take turns would reset each other's.
 */
public final class HourlyLimit {
    private static final System.Logger LOG = System.getLogger("audit");

    /** The callers that are counted one by one. Further ones of a role share one count. */
    static final int CALLERS_MAX = 10_000;

    private static final Duration HOUR = Duration.ofHours(1);
    private final int max;
    private final Predicate<String> isLimited;

    /** In the order in which their hours began. */
    private final Map<String, Counted> counts = new LinkedHashMap<>();

    private record Counted(Instant since, int times) {
        /** False also for an hour that begins in the future, because the clock was set back. */
        boolean isCurrent(Instant now) {
            return !since.isAfter(now) && !since.plus(HOUR).isBefore(now);
        }

        Counted oneMore() {
            return new Counted(since, times + 1);
        }
    }

    private HourlyLimit(int max, Predicate<String> isLimited) {
        this.max = max;
        this.isLimited = isLimited;
    }

    /** Limits agents only. */
    public static HourlyLimit ofAgents(int max) {
        return new HourlyLimit(max, "agent"::equals);
    }

    public static HourlyLimit ofAllButAdmin(int max) {
        return new HourlyLimit(max, right -> !right.equals("admin"));
    }

    /** Counts one record; false if the caller has reached the limit. */
    public synchronized boolean tryCount(Act.Who who, Instant now) {
        if (!isLimited.test(who.right())) return true;
        var key = key(who, now);
        var before = counts.get(key);
        var after =
                before != null && before.isCurrent(now) ? before.oneMore() : new Counted(now, 1);
        if (after.times() == 1) counts.remove(key);
        counts.put(key, after);
        if (after.times() == max + 1) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} reached the limit of {1} audit records an hour",
                    key,
                    max);
        }
        return after.times() <= max;
    }

    private String key(Act.Who who, Instant now) {
        if (counts.containsKey(who.name())) return who.name();
        var oldest = counts.values().iterator();
        while (counts.size() >= CALLERS_MAX && !oldest.next().isCurrent(now)) oldest.remove();
        return counts.size() < CALLERS_MAX
                ? who.name()
                : "all further callers of the role " + who.right();
    }
}
