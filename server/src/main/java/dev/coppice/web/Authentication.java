package dev.coppice.web;

import dev.coppice.access.Caller;
import dev.coppice.access.Tokens;
import dev.coppice.kernel.Transactions;
import dev.coppice.session.Sessions;

import java.util.Optional;

/** Identifies callers by their tokens. An agent's token is valid while its session exists. */
public final class Authentication {
    private final Tokens tokens;
    private final Transactions transactions;
    private final Sessions sessions;

    public Authentication(Tokens tokens, Transactions transactions, Sessions sessions) {
        this.tokens = tokens;
        this.transactions = transactions;
        this.sessions = sessions;
    }

    Optional<Caller> caller(String token) {
        return tokens.read(token).filter(this::isGood).map(Tokens.Presented::caller);
    }

    private boolean isGood(Tokens.Presented presented) {
        var session = presented.caller().session();
        return session == null
                || transactions.read(() -> sessions.find(session)).stream()
                        .anyMatch(s -> s.times().created().equals(presented.birth()));
    }
}
