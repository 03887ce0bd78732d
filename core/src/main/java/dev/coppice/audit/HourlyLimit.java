package dev.coppice.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/** Bounds what each caller adds to the audit in an hour: its records cannot be deleted. */
public final class HourlyLimit {
    private static final System.Logger LOG = System.getLogger("audit");
    private static final int CALLERS_MAX = 1_000;
    private static final Duration HOUR = Duration.ofHours(1);
    private final int max;
    private final Predicate<String> isLimited;

    /** Ordered by the last record: the caller that was recorded longest ago is evicted first. */
    private final Map<String, Counted> counts =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Counted> eldest) {
                    return size() > CALLERS_MAX;
                }
            };

    private record Counted(Instant since, int times) {
        /** False also for an hour that begins in the future, because the clock was set back. */
        boolean isCurrent(Instant now) {
            return !since.isAfter(now) && !since.plus(HOUR).isBefore(now);
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
        var before = counts.get(who.name());
        var after =
                before == null || !before.isCurrent(now)
                        ? new Counted(now, 1)
                        : new Counted(before.since(), before.times() + 1);
        counts.put(who.name(), after);
        if (after.times() == max + 1) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} reached the limit of {1} audit records an hour",
                    who.name(),
                    max);
        }
        return after.times() <= max;
    }
}
