package dev.coppice.audit;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * One thing that somebody did or wanted to do. Digests stand for what it was done to, before and
 * after; there is none where nothing was there.
 */
public record Act(
        Instant at,
        Who who,
        What what,
        Decision decision,
        @Nullable String before,
        @Nullable String after) {

    /** Whoever asked, and the right in which they did. */
    public record Who(String name, String right) {
        /** What follows by itself from what somebody has asked for. */
        public static Who rule(String askedBy) {
            return new Who("coppice", "asked for by " + askedBy);
        }
    }

    /** What was asked for, of whom, and with what choices. */
    public record What(
            String act,
            @Nullable String session,
            @Nullable String sessionName,
            @Nullable String removal,
            @Nullable String detail) {}

    /** Whether it was allowed, and the reason for one or the other. */
    public record Decision(boolean allowed, @Nullable String reason) {
        public static Decision allowed(@Nullable String reason) {
            return new Decision(true, reason);
        }

        public static Decision refused(String reason) {
            return new Decision(false, reason);
        }
    }
}
