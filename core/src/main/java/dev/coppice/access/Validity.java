package dev.coppice.access;

import dev.coppice.kernel.Transactions;
import dev.coppice.session.Sessions;

import java.time.InstantSource;

/** Tells whether a caller's token is still valid, for answers that take long. */
public record Validity(
        Transactions transactions, IssuedTokens issued, Sessions sessions, InstantSource clock) {
    public boolean isGood(Caller caller) {
        return transactions.read(() -> isFound(caller));
    }

    private boolean isFound(Caller caller) {
        var token = caller.token();
        if (token != null) {
            return issued.find(token).filter(t -> t.isValidAt(clock.instant())).isPresent();
        }
        var session = caller.session();
        return session == null || sessions.find(session).isPresent();
    }
}
