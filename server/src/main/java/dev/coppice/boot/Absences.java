package dev.coppice.boot;

import dev.coppice.fleet.ExpireLeases;
import dev.coppice.kernel.Transactions;
import dev.coppice.rules.Rules;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Notices when this process slept, was suspended or could not write. No runner could renew its
 * lease meanwhile, so nothing may be concluded from the silence of a runner.
 */
final class Absences {
    private final Transactions transactions;
    private final InstantSource clock;
    private volatile Instant awake;
    private volatile Instant looked;
    private volatile long pauses;

    Absences(Transactions transactions, InstantSource clock) {
        this.transactions = transactions;
        this.clock = clock;
        this.awake = clock.instant();
        this.looked = awake;
    }

    /** The start, or the end of the last absence. */
    Instant awakeSince() {
        return awake;
    }

    /** Expires leases. After an absence, every lease first gets its full length again. */
    int expireLeases(Rules rules) {
        var now = clock.instant();
        long paused = transactions.writePauses();
        if (looked.plus(ExpireLeases.STALL).isBefore(now) || paused != pauses) {
            rules.renew.extendAllLeases();
            awake = clock.instant();
            pauses = paused;
        }
        looked = now;
        var lost = rules.expireLeases.sweep(now);
        if (lost.isEmpty()) awake = clock.instant();
        return lost.orElse(0);
    }
}
