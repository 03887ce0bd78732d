package dev.coppice.access;

import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * A token that a person asked for: its role, the session below which it is valid (null for
 * everything), and its end. The token itself is not stored. It expires no later than its maker.
 *
 * @param maker the token with which it was made; null for one that has no record, such as the token
 *     of the data directory
 * @param source the name of the hooks that have the token, which confines it to sessions that they
 *     reported first; null for other tokens
 * @param runner the runner that registered with it first, if a runner joined with it
 */
public record IssuedToken(
        TokenId id,
        Role role,
        @Nullable SessionId below,
        @Nullable String label,
        Instant madeAt,
        @Nullable Instant until,
        @Nullable TokenId maker,
        Origin origin,
        @Nullable String source,
        @Nullable RunnerId runner) {
    /** The way in which a token was made. */
    public enum Origin {
        /** A person or a program created it. */
        CREATED,
        /** A browser exchanged the code of a sign-in link for it. */
        SIGNED_IN,
        /** A runner exchanged the code of an invitation for it. */
        JOINED
    }

    /** This token, confined to a runner. */
    public IssuedToken of(RunnerId other) {
        return new IssuedToken(id, role, below, label, madeAt, until, maker, origin, source, other);
    }

    public boolean isOfBrowser() {
        return origin == Origin.SIGNED_IN;
    }

    /** The caller with this token, confined as its record says. */
    public Caller caller() {
        var hooks = source == null ? null : new Sender(source, null);
        var joined = origin == Origin.JOINED ? new Caller.Joined(runner) : null;
        return new Caller(role, below, id, hooks, joined);
    }

    public boolean isValidAt(Instant now) {
        return until == null || now.isBefore(until);
    }
}
