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
 * Remembers which stops were sent in polls. An answer can be lost, so a stop that is still pending
 * after a few seconds is sent again; a second order does no harm.
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
