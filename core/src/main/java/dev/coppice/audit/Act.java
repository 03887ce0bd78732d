package dev.coppice.audit;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * An act that a caller did or tried to do. The digests identify the state of its object before and
 * after it; null if there was no object.
 */
public record Act(
        Instant at,
        Who who,
        What what,
        Decision decision,
        @Nullable String before,
        @Nullable String after) {

    /** The caller, and the right with which it acted. */
    public record Who(String name, String right) {
        /** The coordinator, when it acts on an earlier request of a caller. */
        public static Who rule(String askedBy) {
            return new Who("coppice", "asked for by " + askedBy);
        }
    }

    /** The act, its object, and the choices made. */
    public record What(
            String act,
            @Nullable String session,
            @Nullable String sessionName,
            @Nullable String removal,
            @Nullable String detail) {}

    /** Allowed or refused, and the reason. */
    public record Decision(boolean allowed, @Nullable String reason) {
        public static Decision allowed(@Nullable String reason) {
            return new Decision(true, reason);
        }

        public static Decision refused(String reason) {
            return new Decision(false, reason);
        }
    }
}
