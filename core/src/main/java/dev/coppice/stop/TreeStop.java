package dev.coppice.stop;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/** The stop of a session and its descendants, from its fence until all have ended. */
public record TreeStop(
        StopId id, SessionId top, Order order, Instant began, @Nullable Instant ended) {

    /** The time that each session has to end by itself, and the reason for the stop. */
    public record Order(Duration deadline, String reason) {}

    public boolean isOver() {
        return ended != null;
    }

    TreeStop over(Instant at) {
        return new TreeStop(id, top, order, began, at);
    }
}
