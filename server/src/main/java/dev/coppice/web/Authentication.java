package dev.coppice.web;

import dev.coppice.access.Caller;
import dev.coppice.access.IssuedToken;
import dev.coppice.access.IssuedTokens;
import dev.coppice.access.Tokens;
import dev.coppice.kernel.Transactions;
import dev.coppice.session.Sessions;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.Optional;

/**
 * Identifies callers by their tokens. An agent's token is valid while its session exists, an issued
 * one until it expires or is revoked.
 */
public final class Authentication {
    private final Tokens tokens;
    private final Transactions transactions;
    private final Sessions sessions;
    private final IssuedTokens issued;
    private final InstantSource clock;

    public Authentication(
            Tokens tokens,
            Transactions transactions,
            Sessions sessions,
            IssuedTokens issued,
            InstantSource clock) {
        this.tokens = tokens;
        this.transactions = transactions;
        this.sessions = sessions;
        this.issued = issued;
        this.clock = clock;
    }

    Optional<Caller> caller(String token) {
        var record = tokens.record(token);
        return record.isPresent()
                ? transactions
                        .read(() -> issued.find(record.get()))
                        .filter(found -> found.isValidAt(clock.instant()))
                        .map(IssuedToken::caller)
                : tokens.read(token).filter(this::isGood).map(Tokens.Presented::caller);
    }

    /**
     * Adds the run to a hooks' caller. A person's hooks also run in the programs that Coppice
     * starts, where they send the run's token as well: it proves that they may report on that run.
     */
    Caller inRun(Caller caller, @Nullable String agent) {
        if (caller.sender() == null || agent == null) return caller;
        return caller(agent).map(Caller::self).map(caller::inRun).orElse(caller);
    }

    private boolean isGood(Tokens.Presented presented) {
        var session = presented.caller().session();
        return session == null
                || transactions.read(() -> sessions.find(session)).stream()
                        .anyMatch(s -> s.times().created().equals(presented.birth()));
    }
}
