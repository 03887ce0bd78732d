package dev.coppice.operations.fleet;

import dev.coppice.access.Need;
import dev.coppice.fleet.ClaimRun;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Transactions;
import dev.coppice.operations.Given;
import dev.coppice.request.Operation;
import dev.coppice.wire.fleet.DrainCalls;
import dev.coppice.wire.fleet.DrainCalls.Draining;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Whether this coordinator gives out new runs. A drain ends by itself, and with the process: a
 * caller that dies does not leave a coordinator that does nothing.
 */
public final class DrainOperations {
    private static final Duration LENGTH = Duration.ofMinutes(10);
    private static final Duration LENGTH_MAX = Duration.ofDays(1);

    private final Transactions transactions;
    private final InstantSource clock;
    private volatile @Nullable Instant until;

    public DrainOperations(Transactions transactions, InstantSource clock) {
        this.transactions = transactions;
        this.clock = clock;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.changingOutside(
                        DrainCalls.DRAIN, Need.DEFINE, transactions, (_, in) -> begin(in)),
                Operation.changingOutside(
                        DrainCalls.END, Need.DEFINE, transactions, (_, _) -> ended()));
    }

    private Outcome<Draining> begin(DrainCalls.Drain in) {
        var length = in.length() == null ? LENGTH : in.length().value();
        if (length.compareTo(LENGTH_MAX) > 0) {
            throw Given.bad("length", length.toSeconds() + "s", "at most 1d");
        }
        var end = clock.instant().plus(length);
        until = end;
        return Outcome.done(new Draining(end.toString()));
    }

    private Outcome<Draining> ended() {
        until = null;
        return Outcome.done(new Draining(null));
    }

    /** Which runs a runner may claim now. */
    ClaimRun.Which which() {
        var end = until;
        return end != null && clock.instant().isBefore(end)
                ? ClaimRun.Which.AWAITED
                : ClaimRun.Which.ALL;
    }
}
