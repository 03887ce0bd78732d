package dev.coppice.access;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * A token that a person asked for: its role, the session below which it is valid (null for
 * everything), and its end. The token itself is not stored.
 *
 * @param maker the token whose sign-in link it came from, {@link #OF_DATA} for the token of the
 *     data directory; null if it did not come from a link
 */
public record IssuedToken(
        TokenId id,
        Role role,
        @Nullable SessionId below,
        @Nullable String label,
        Instant madeAt,
        @Nullable Instant until,
        @Nullable String maker) {
    /** The maker of links that were made with the token of the data directory. */
    public static final String OF_DATA = "";

    /** True if a browser got it by signing in. */
    public boolean isOfBrowser() {
        return maker != null;
    }

    public Caller caller() {
        return Caller.with(id, role, below);
    }

    public boolean isValidAt(Instant now) {
        return until == null || now.isBefore(until);
    }
}
