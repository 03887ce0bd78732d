package dev.coppice.fleet;

import dev.coppice.run.Ports;
import dev.coppice.run.RunSweeps;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;

/**
 * Expires leases. A renewal may have arrived and wait for the write lock, too, so a sweep expires
 * the leases that were over when it was requested, not when it got the lock. A sweep that waited
 * for long expires none.
 */
public final class ExpireLeases {
    /** A wait for the write lock of this length counts as an outage of the coordinator. */
    public static final Duration STALL = Duration.ofSeconds(5);

    private final Ports ports;
    private final RenewLeases renew;
    private final RunSweeps sweeps;

    public ExpireLeases(Ports ports, RenewLeases renew, RunSweeps sweeps) {
        this.ports = ports;
        this.renew = renew;
        this.sweeps = sweeps;
    }

    /**
     * Returns how many runs have lost their lease; empty if the wait was so long that every lease
     * was extended to its full length instead.
     */
    public OptionalInt sweep(Instant asked) {
        return ports.transactions()
                .write(() -> {
                    if (asked.plus(STALL).isBefore(ports.clock().instant())) {
                        renew.extendAllLeases();
                        return OptionalInt.empty();
                    }
                    return OptionalInt.of(sweeps.lostRuns(asked));
                });
    }
}
