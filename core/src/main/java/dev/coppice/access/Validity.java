package dev.coppice.access;

import dev.coppice.kernel.Transactions;
import dev.coppice.session.Sessions;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;

/** Checks if a caller's token is still valid while a long answer is under way. */
public record Validity(
        Transactions transactions, IssuedTokens issued, Sessions sessions, InstantSource clock) {
    private static final Duration TRUST = Duration.ofSeconds(1);

    public boolean isGood(Caller caller) {
        return transactions.read(() -> isFound(caller));
    }

    /** Returns a check for an open stream, which reads the database at most once a second. */
    public BooleanSupplier whileOpen(Caller caller) {
        return new BooleanSupplier() {
            private long last = System.nanoTime();

            @Override
            public boolean getAsBoolean() {
                if (System.nanoTime() - last < TRUST.toNanos()) return true;
                last = System.nanoTime();
                return isGood(caller);
            }
        };
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
