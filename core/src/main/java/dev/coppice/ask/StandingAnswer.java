package dev.coppice.ask;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * An answer in advance: for a session and all below it, for a time, for the uses of tools that a
 * pattern selects.
 */
public record StandingAnswer(
        String id,
        SessionId session,
        String sessionName,
        ToolPattern pattern,
        Verdict verdict,
        @Nullable String reason,
        String madeBy,
        Instant made,
        Instant until,
        @Nullable Revoked revoked,
        Used used) {
    /** Who revoked it, and when. */
    public record Revoked(String by, Instant at) {}

    /** How often it answered, and when last. */
    public record Used(long times, @Nullable Instant last) {
        public static final Used NEVER = new Used(0, null);
    }

    public boolean holds(Instant now) {
        return revoked == null && now.isBefore(until);
    }
}
