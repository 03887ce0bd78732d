package dev.coppice.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Bounds what each agent adds to the audit in an hour: its records cannot be deleted. */
public final class HourlyLimit {
    private static final String AGENT = "agent";
    private static final int AGENTS_MAX = 1_000;
    private static final Duration HOUR = Duration.ofHours(1);
    private final int max;

    /** Ordered by the last record: the agent that was recorded longest ago is evicted first. */
    private final Map<String, Counted> counts =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Counted> eldest) {
                    return size() > AGENTS_MAX;
                }
            };

    private record Counted(Instant since, int times) {}

    public HourlyLimit(int max) {
        this.max = max;
    }

    /** Counts one record; false if the agent has reached the limit. Others have no limit. */
    public synchronized boolean tryCount(Act.Who who, Instant now) {
        if (!who.right().equals(AGENT)) return true;
        var before = counts.get(who.name());
        var after =
                before == null || before.since().plus(HOUR).isBefore(now)
                        ? new Counted(now, 1)
                        : new Counted(before.since(), before.times() + 1);
        counts.put(who.name(), after);
        return after.times() <= max;
    }
}
