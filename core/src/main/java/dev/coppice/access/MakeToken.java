package dev.coppice.access;

import dev.coppice.access.IssuedToken.Origin;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Creates issued tokens. A token ends with its maker: it expires no later, and the store removes it
 * with its maker. A request whose token was revoked since it was admitted creates none.
 */
public final class MakeToken {
    private final IssuedTokens issued;
    private final Ids ids;
    private final InstantSource clock;

    public MakeToken(IssuedTokens issued, Ids ids, InstantSource clock) {
        this.issued = issued;
        this.ids = ids;
        this.clock = clock;
    }

    /** The requested token. {@code until} is null if it is valid as long as its maker. */
    public record Wanted(
            Role role,
            @Nullable SessionId below,
            @Nullable String label,
            @Nullable Instant until,
            Origin origin,
            @Nullable String source) {}

    /** Creates a token; {@code maker} is the token of the caller. Joins the current transaction. */
    public Outcome<IssuedToken> make(Wanted wanted, @Nullable TokenId maker) {
        var now = clock.instant();
        issued.removeExpired(now);
        var until = wanted.until();
        if (maker != null) {
            var above = issued.find(maker);
            if (above.isEmpty()) {
                return Outcome.refused(new RequestRefusal.TokenUnknown(maker.value()));
            }
            until = earlier(until, above.get().until());
        }
        if (issued.all().size() >= Bounds.TOKENS_MAX) {
            return Outcome.refused(new RequestRefusal.TooManyTokens(Bounds.TOKENS_MAX));
        }
        var token =
                new IssuedToken(
                        TokenId.made(ids),
                        wanted.role(),
                        wanted.below(),
                        wanted.label(),
                        now,
                        until,
                        maker,
                        wanted.origin(),
                        wanted.source(),
                        null);
        issued.add(token);
        return Outcome.done(token);
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) return one == null ? other : one;
        return one.isBefore(other) ? one : other;
    }
}
