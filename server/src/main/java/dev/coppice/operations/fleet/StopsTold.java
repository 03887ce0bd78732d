package dev.coppice.operations.fleet;

import dev.coppice.kernel.RunId;
import dev.coppice.run.Run;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which stops a poll has carried already. An answer can be lost, so a stop that is not done a while
 * later is told again; being told twice harms nobody.
 */
final class StopsTold {
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(5);
    private final Map<RunId, Instant> told = new ConcurrentHashMap<>();
    private final InstantSource clock;

    StopsTold(InstantSource clock) {
        this.clock = clock;
    }

    List<Run> untold(List<Run> stopping) {
        var now = clock.instant();
        told.values().removeIf(at -> at.plus(AGAIN_AFTER).isBefore(now));
        return stopping.stream().filter(run -> told.putIfAbsent(run.id(), now) == null).toList();
    }
}
