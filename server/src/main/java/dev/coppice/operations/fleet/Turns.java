package dev.coppice.operations.fleet;

import dev.coppice.kernel.RunnerId;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tracks the latest poll of each runner. A dead connection is noticed only when it is written to,
 * so its poll could claim a run that no runner receives. Therefore a new poll or registration of a
 * runner ends its earlier polls.
 */
final class Turns {
    private final Map<RunnerId, Long> latest = new ConcurrentHashMap<>();

    long next(RunnerId runner) {
        return latest.merge(runner, 1L, Long::sum);
    }

    boolean isLatest(RunnerId runner, long turn) {
        return latest.getOrDefault(runner, 0L) == turn;
    }
}
