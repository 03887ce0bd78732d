package dev.coppice.wire.fleet;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A runner's sign of life, with every run it holds. */
public record Heartbeat(@Nullable String runnerId, @Nullable List<Held> runs) {
    /** A run; whether its agent has printed something since the last sign, and how much in all. */
    public record Held(
            String runId, long fence, @Nullable Boolean heard, @Nullable Long outputBytes) {}

    /**
     * Tells the runner what to do: end the lost, stop the stopping, suspend the frozen alone, and
     * end those whose tree has printed more than it may.
     */
    public record Answer(
            boolean ok,
            List<String> lost,
            List<StopOrder> stops,
            @Nullable List<String> frozen,
            @Nullable List<String> overfull) {}
}
