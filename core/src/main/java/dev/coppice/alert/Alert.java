package dev.coppice.alert;

import dev.coppice.kernel.SessionId;
import dev.coppice.word.AlertKind;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * Something about a session that a person should know.
 *
 * @param cause what raised it; the same cause raises no second alert of a session
 */
public record Alert(
        String id,
        SessionId session,
        String sessionName,
        AlertKind kind,
        String cause,
        @Nullable String reason,
        Instant raised,
        List<Delivery> deliveries) {
    public Alert {
        deliveries = List.copyOf(deliveries);
    }

    /** The delivery to a channel. {@code due} is the time of the next try. */
    public record Delivery(
            String channel, State state, int tries, @Nullable Instant due, @Nullable String error) {
        static Delivery due(String channel, Instant at) {
            return new Delivery(channel, State.DUE, 0, at, null);
        }
    }

    public enum State {
        DUE,
        DELIVERED,
        /** The receiver never took it. */
        DEAD
    }
}
