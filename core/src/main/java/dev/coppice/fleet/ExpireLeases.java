package dev.coppice.fleet;

import dev.coppice.run.Ports;
import dev.coppice.run.RunSweeps;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;

/**
 * Expires leases. A renewal that waits for the writer has reached the coordinator, so the time that
 * a sweep waits for the writer says nothing about runners: a lease expires at the time at which the
 * sweep was asked for, and a sweep that waited for long expires none.
 */
public final class ExpireLeases {
    /** A writer that is busy for this long is an absence of the coordinator. */
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
     * Returns how many runs have lost their lease; empty if the writer was busy for so long that
     * every lease got its full length again instead.
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
