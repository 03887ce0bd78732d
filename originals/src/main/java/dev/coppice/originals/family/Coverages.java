package dev.coppice.originals.family;

import dev.coppice.boot.Ground;
import dev.coppice.kernel.SessionId;
import dev.coppice.originals.page.PageCalls;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Caches which hooks send events, for all pages that see the same sessions. */
final class Coverages {
    static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final int RECENT_MAX = 100;

    private final Ground parts;
    private final Map<String, Read> recent = new ConcurrentHashMap<>();

    private record Read(Instant at, HookFigures.Coverage coverage) {}

    Coverages(Ground parts) {
        this.parts = parts;
    }

    /** The coverage below a session, or of everything; at most as old as the interval. */
    HookFigures.Coverage below(@Nullable SessionId top, Instant now) {
        if (recent.size() > RECENT_MAX) recent.clear();
        return recent.compute(
                        top == null ? "" : top.value(),
                        (_, known) ->
                                known != null && now.isBefore(known.at().plus(INTERVAL))
                                        ? known
                                        : new Read(now, read(top, now)))
                .coverage();
    }

    private HookFigures.Coverage read(@Nullable SessionId top, Instant now) {
        var newest =
                parts.scope()
                        .transactions()
                        .read(() -> parts.observations().recent(top, PageCalls.RECENT_MAX));
        return new HookFigures(newest, now).coverage();
    }
}
