package dev.coppice.outside;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * The process of an agent program that Coppice did not start, as long as it lives.
 *
 * @param started the start of the process, which tells it from a later one with the same id; null
 *     until a runner of the host has looked
 * @param program the kind of program, such as {@code codex}
 * @param seen the time at which a runner first found the process; null before
 * @param endBy the deadline of a stop; null if nobody has asked for one
 */
public record OutsideProcess(
        SessionId session,
        String host,
        long pid,
        @Nullable Instant started,
        String program,
        Consent consent,
        @Nullable Instant seen,
        @Nullable Instant endBy) {

    /** What the person lets Coppice do with the process. */
    public enum Consent {
        WATCH,
        STOP
    }

    public boolean mayStop() {
        return consent == Consent.STOP;
    }

    public OutsideProcess seen(Instant at, Instant start) {
        return new OutsideProcess(session, host, pid, start, program, consent, at, endBy);
    }

    public OutsideProcess endBy(@Nullable Instant deadline) {
        return new OutsideProcess(session, host, pid, started, program, consent, seen, deadline);
    }

    public OutsideProcess allowed(Consent other) {
        return new OutsideProcess(session, host, pid, started, program, other, seen, endBy);
    }
}
