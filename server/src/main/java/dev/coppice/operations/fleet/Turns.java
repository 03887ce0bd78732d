package dev.coppice.operations.fleet;

import dev.coppice.kernel.RunnerId;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which of a runner's polls is its latest. A connection that has died is not noticed until someone
 * writes to it; its poll would go on and claim a run for nobody. A runner that asks again, or
 * registers again, has given up every earlier question.
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
