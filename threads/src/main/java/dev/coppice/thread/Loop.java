package dev.coppice.thread;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Repeats a round until its owner ends it; pauses after failures, longer while all rounds fail. */
final class Loop implements Runnable {
    private static final System.Logger LOG = System.getLogger("threads");
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Less than any deadline that a loop watches, such as that of a lease. */
    private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    private static final int DOUBLINGS_MAX = 7;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String name;
    private final BooleanSupplier goesOn;
    private final Round round;
    private final AtomicLong failures;
    private int inARow;
    private long unlogged;
    private long logged = System.nanoTime() - LOG_NANOS;
    private @Nullable Class<?> kind;

    Loop(String name, BooleanSupplier goesOn, Round round, AtomicLong failures) {
        this.name = name;
        this.goesOn = goesOn;
        this.round = round;
        this.failures = failures;
    }

    @Override
    public void run() {
        while (goesOn.getAsBoolean()) {
            try {
                round.run();
                inARow = 0;
                // An interrupt that is left from this round must not end the waits of the next.
                var _ = Thread.interrupted();
            } catch (InterruptedException | RuntimeException | Error e) {
                // The owner interrupts a loop to end it: that is no failure.
                if (goesOn.getAsBoolean()) failed(e);
            }
        }
    }

    private void failed(Throwable cause) {
        failures.incrementAndGet();
        inARow++;
        try {
            log(cause);
        } catch (RuntimeException | Error _) {
            // Logging also fails without memory; the failure is still counted.
        }
        pause();
    }

    /** Logs each kind of failure once a minute: a round may fail many times a second. */
    private void log(Throwable cause) {
        unlogged++;
        long now = System.nanoTime();
        if (cause.getClass().equals(kind) && now - logged < LOG_NANOS) return;
        // An interrupt of a loop that goes on is a bug.
        boolean isAlarm = cause instanceof Error || cause instanceof InterruptedException;
        LOG.log(
                isAlarm ? System.Logger.Level.ERROR : System.Logger.Level.WARNING,
                "a round of the loop \"%s\" failed; it goes on (%d since the last line like this)"
                        .formatted(name, unlogged),
                cause);
        kind = cause.getClass();
        logged = now;
        unlogged = 0;
    }

    /** Waits in short parts, because the end of the loop is not signalled. */
    private void pause() {
        // With an interrupt pending, the next wait would end at once.
        var _ = Thread.interrupted();
        int doublings = Math.min(inARow - 1, DOUBLINGS_MAX);
        long until = System.nanoTime() + Math.min(PAUSE_NANOS << doublings, PAUSE_NANOS_MAX);
        long left = until - System.nanoTime();
        while (left > 0 && goesOn.getAsBoolean()) {
            LockSupport.parkNanos(Math.min(left, LOOK_NANOS));
            left = until - System.nanoTime();
        }
    }
}
