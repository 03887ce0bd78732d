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
final class SentStops {
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(5);
    private final Map<RunId, Instant> sent = new ConcurrentHashMap<>();
    private final InstantSource clock;

    SentStops(InstantSource clock) {
        this.clock = clock;
    }

    List<Run> unsent(List<Run> stopping) {
        var now = clock.instant();
        sent.values().removeIf(at -> at.plus(AGAIN_AFTER).isBefore(now) || at.isAfter(now));
        return stopping.stream().filter(run -> sent.putIfAbsent(run.id(), now) == null).toList();
    }
}
