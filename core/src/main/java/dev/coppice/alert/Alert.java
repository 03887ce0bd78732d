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
    /** The kinds of bad ends. */
    public enum Kind {
        FAILED,
        TIMED_OUT,
        LOST
    }

    /** The state of its delivery. {@code due} is the time of the next try. */
    public record Delivery(State state, int tries, @Nullable Instant due, @Nullable String error) {}

    /** The states of a delivery. */
    public enum State {
        /** No receiver is configured. */
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
