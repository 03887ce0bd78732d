package dev.coppice.wire.fleet;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A heartbeat of a runner, with all runs that it holds. */
public record Heartbeat(@Nullable String runnerId, @Nullable List<Held> runs) {
    /** A run, whether its agent has printed since the last heartbeat, and its total output. */
    public record Held(
            String runId, long fence, @Nullable Boolean heard, @Nullable Long outputBytes) {}

    /**
     * Orders for the runner: end lost runs, execute stops, suspend exactly the frozen runs, and end
     * the overfull runs, whose tree has exceeded its limit of output.
     */
    public record Answer(
            boolean ok,
            List<String> lost,
            List<StopOrder> stops,
            @Nullable List<String> frozen,
            @Nullable List<String> overfull) {}
}
