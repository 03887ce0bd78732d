package dev.coppice.boot;

import dev.coppice.kernel.Transactions;
import dev.coppice.rules.Rules;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Notices when this process slept, was suspended or could not write. No runner could renew its
 * lease meanwhile, so nothing may be concluded from the silence of a runner.
 */
final class Absences {
    private static final Duration SLEPT = Duration.ofSeconds(5);
    private final Transactions transactions;
    private final InstantSource clock;
    private volatile Instant awake;
    private volatile Instant looked;
    private volatile long failedWrites;

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
        long failed = transactions.failedWrites();
        if (looked.plus(SLEPT).isBefore(now) || failed != failedWrites) {
            rules.renew.extendAllLeases();
            awake = now;
            failedWrites = failed;
        }
        looked = now;
        return rules.runSweeps.lostRuns();
    }
}
