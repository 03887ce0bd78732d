package dev.coppice.outside;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * The process of an agent program that Coppice did not start, as long as it lives.
 *
 * @param start tells the process from an earlier one with the same id; null for a claim that no
 *     runner of the host has confirmed
 * @param program the kind of program, such as {@code codex}
 * @param endBy the deadline of a stop; null if none was requested
 */
public record OutsideProcess(
        SessionId session,
        String host,
        long pid,
        @Nullable String start,
        String program,
        Consent consent,
        @Nullable Instant endBy) {

    /** The permission that a person gives Coppice for the process. */
    public enum Consent {
        WATCH,
        STOP
    }

    public boolean mayStop() {
        return consent == Consent.STOP;
    }

    /** True if a person decided something about the process, which a claim must not undo. */
    public boolean isDecided() {
        return mayStop() || endBy != null;
    }

    /** A copy that is only watched, and never ended. */
    public OutsideProcess watched() {
        return new OutsideProcess(session, host, pid, start, program, Consent.WATCH, null);
    }

    public OutsideProcess confirmed(String asStarted) {
        return new OutsideProcess(session, host, pid, asStarted, program, consent, endBy);
    }

    public OutsideProcess endBy(@Nullable Instant deadline) {
        return new OutsideProcess(session, host, pid, start, program, consent, deadline);
    }
}
