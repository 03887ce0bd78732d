package dev.coppice.removal;

import dev.coppice.audit.Act;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts the refusals of each agent. Records of the audit cannot be deleted, so the audit keeps
 * only so many refusals of one agent an hour.
 */
final class RefusalLimit {
    private static final System.Logger LOG = System.getLogger("removal");
    private static final String AGENT = "agent";
    private static final int AN_HOUR_MAX = 60;
    private static final int AGENTS_MAX = 1_000;
    private static final Duration HOUR = Duration.ofHours(1);

    /** Ordered by the last refusal: the agent that was refused longest ago is evicted first. */
    private final Map<String, Heard> heard =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Heard> eldest) {
                    return size() > AGENTS_MAX;
                }
            };

    private record Heard(Instant since, int times) {}

    /** Counts one refusal. True if the audit keeps no more refusals of this caller for now. */
    synchronized boolean countAndCheckLimit(Act.Who who, Instant now) {
        if (!who.right().equals(AGENT)) return false;
        var before = heard.get(who.name());
        var after =
                before == null || before.since().plus(HOUR).isBefore(now)
                        ? new Heard(now, 1)
                        : new Heard(before.since(), before.times() + 1);
        heard.put(who.name(), after);
        if (after.times() == AN_HOUR_MAX + 1) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} was refused {1} times within an hour; the audit omits further ones",
                    who.name(),
                    AN_HOUR_MAX);
        }
        return after.times() > AN_HOUR_MAX;
    }
}
