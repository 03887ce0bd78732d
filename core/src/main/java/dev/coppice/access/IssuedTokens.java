package dev.coppice.access;

import dev.coppice.kernel.RunnerId;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The issued tokens. One that is confined to a session is removed with the session; while the
 * session is hidden it is listed but not found, so that it can be revoked. Every method joins the
 * current transaction.
 */
public interface IssuedTokens {
    void add(IssuedToken token);

    Optional<IssuedToken> find(TokenId id);

    /** Oldest first. */
    List<IssuedToken> all();

    /** Removes a token and all that were made with it; false if there is no such token. */
    boolean remove(TokenId id);

    void removeExpired(Instant now);

    /** Confines the token of a runner that joined to this runner. */
    void bind(TokenId id, RunnerId runner);
}
