package dev.coppice.boot;

import dev.coppice.fleet.ExpireLeases;
import dev.coppice.kernel.Transactions;
import dev.coppice.store.Timers;
import dev.coppice.wiring.Rules;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Notices when this process slept, was suspended or could not write, and when its clock was set
 * back. No runner could renew its lease meanwhile, so nothing may be concluded from the silence of
 * a runner.
 */
final class Absences {
    private static final System.Logger LOG = System.getLogger("absences");

    private final Transactions transactions;
    private final Timers timers;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private volatile Instant awake;
    private volatile Instant looked;
    private volatile long lookedNanos;
    private volatile long pauses;

    Absences(Transactions transactions, InstantSource clock) {
        this(transactions, clock, System::nanoTime);
    }

    /** {@code nanos} is a monotonic clock. */
    Absences(Transactions transactions, InstantSource clock, LongSupplier nanos) {
        this.transactions = transactions;
        this.timers = new Timers(transactions);
        this.clock = clock;
        this.nanos = nanos;
        this.awake = clock.instant();
        this.looked = awake;
        this.lookedNanos = nanos.getAsLong();
    }

    /** The start, or the end of the last absence; the present if an absence ended just now. */
    Instant awakeSince() {
        var now = clock.instant();
        return isAbsence(now) ? now : awake;
    }

    /** Gives every lease its full length: no runner could renew while the coordinator was down. */
    void begin(Rules rules) {
        var now = clock.instant();
        timers.newest()
                .map(newest -> Duration.between(now, newest))
                .filter(back -> back.compareTo(ExpireLeases.STALL) > 0)
                .ifPresent(back -> wasSetBack(now, back));
        rules.renew.extendAllLeases();
    }

    /**
     * Expires leases. After an absence, every lease first gets its full length again. The clock was
     * set back if it advanced less than {@code nanos}.
     */
    int expireLeases(Rules rules) {
        long passed = nanos.getAsLong() - lookedNanos;
        var now = clock.instant();
        var back = Duration.ofNanos(passed).minus(Duration.between(looked, now));
        long paused = transactions.writePauses();
        if (isAbsence(now) || isLong(back) || paused != pauses) {
            if (isLong(back)) wasSetBack(now, back);
            // Record the look first: if the next write fails, the times must not be moved again.
            lookedAt(now);
            rules.renew.extendAllLeases();
            awake = clock.instant();
            pauses = paused;
        }
        lookedAt(now);
        var lost = rules.expireLeases.sweep(now);
        if (lost.isEmpty()) awake = clock.instant();
        return lost.orElse(0);
    }

    private boolean isAbsence(Instant now) {
        return isLong(Duration.between(looked, now));
    }

    private static boolean isLong(Duration time) {
        return time.compareTo(ExpireLeases.STALL) > 0;
    }

    private void lookedAt(Instant now) {
        looked = now;
        lookedNanos = nanos.getAsLong();
    }

    private void wasSetBack(Instant now, Duration back) {
        int moved = timers.moveBack(now, back);
        LOG.log(
                System.Logger.Level.WARNING,
                "the clock was set back by {0} s; {1} pending timers were moved back, too",
                back.toSeconds(),
                moved);
    }
}
