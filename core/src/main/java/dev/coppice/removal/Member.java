package dev.coppice.removal;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

/**
 * A session that a removal takes away, as it was found; it is remembered when it has gone. Who was
 * given up could not be stopped in time: its processes may run on where nobody can be asked.
 */
public record Member(
        SessionId id,
        String name,
        @Nullable SessionId parent,
        String state,
        long runs,
        boolean givenUp) {}
