package dev.coppice.alert;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** A session failed, timed out or was lost. */
public record Alert(
        String id,
        SessionId session,
        String sessionName,
        Kind kind,
        @Nullable String reason,
        Instant raised,
        Delivery delivery) {
    /** What happened. */
    public enum Kind {
        FAILED,
        TIMED_OUT,
        LOST
    }

    /** How far its delivery has come. {@code due} is the time of the next try. */
    public record Delivery(State state, int tries, @Nullable Instant due, @Nullable String error) {}

    /** Whether the receiver knows of it. */
    public enum State {
        /** Nobody receives alerts. */
        UNSENT,
        DUE,
        DELIVERED,
        /** The receiver never took it. */
        DEAD
    }

    Alert with(Delivery next) {
        return new Alert(id, session, sessionName, kind, reason, raised, next);
    }
}
