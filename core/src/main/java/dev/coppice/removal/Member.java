package dev.coppice.removal;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

/**
 * A session that a removal covers, as it was when it was enlisted. The member outlives the session.
 * {@code givenUp} means that it could not be stopped in time: its processes may still run on a host
 * that does not answer.
 */
public record Member(
        SessionId id,
        String name,
        @Nullable SessionId parent,
        String state,
        long runs,
        boolean givenUp) {}
