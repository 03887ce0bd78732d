package dev.coppice.operations.fleet;

import dev.coppice.kernel.RunnerId;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tracks the latest poll of each runner. A dead connection is noticed only when it is written to,
 * so its poll could claim a run that no runner receives. Therefore a new poll or registration of a
 * runner ends its earlier polls.
 */
final class Turns {
    private final Map<RunnerId, Turn> latest = new ConcurrentHashMap<>();

    private record Turn(long number, Instant begun) {}

    long next(RunnerId runner, Instant now) {
        return latest.merge(runner, new Turn(1, now), (t, _) -> new Turn(t.number() + 1, now))
                .number();
    }

    boolean isLatest(RunnerId runner, long turn) {
        var last = latest.get(runner);
        return last != null && last.number() == turn;
    }

    /** Counts the runners that have polled since this moment; at least one. */
    int countSince(Instant moment) {
        var recent = latest.values().stream().filter(turn -> turn.begun().isAfter(moment));
        return (int) Math.max(1, recent.count());
    }
}
