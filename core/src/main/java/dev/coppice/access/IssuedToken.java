package dev.coppice.access;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * A token that a person asked for: its role, the session below which it is valid (null for
 * everything), and its end. The token itself is not stored.
 */
public record IssuedToken(
        TokenId id,
        Role role,
        @Nullable SessionId below,
        @Nullable String label,
        Instant madeAt,
        @Nullable Instant until) {
    public Caller caller() {
        return Caller.with(id, role, below);
    }

    public boolean isValidAt(Instant now) {
        return until == null || now.isBefore(until);
    }
}
