package dev.coppice.stop;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/** The stop of a session and its descendants, from its fence until all have ended. */
public record TreeStop(
        StopId id, SessionId top, Order order, Instant began, @Nullable Instant ended) {

    /**
     * The time in which each session may end by itself, the reason, and the removal that stops the
     * tree, if there is one.
     */
    public record Order(Duration deadline, String reason, @Nullable String removedBy) {
        public Order(Duration deadline, String reason) {
            this(deadline, reason, null);
        }
    }

    public boolean isOver() {
        return ended != null;
    }

    TreeStop over(Instant at) {
        return new TreeStop(id, top, order, began, at);
    }
}
