package dev.coppice.store.engine;

import org.jspecify.annotations.Nullable;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Counts and logs work that holds up the writer. With the system property {@code
 * coppice.write.millis.max}, which tests set, work that computes or waits for longer fails. Time
 * spent waiting for a processor does not count there.
 */
final class SlowWrites {
    private static final System.Logger LOG = System.getLogger("store");
    private static final long SLOW_MILLIS = 50;
    private static final long LOG_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long FAIL_MILLIS = Long.getLong("coppice.write.millis.max", 0);
    private static final @Nullable ThreadMXBean THREADS = FAIL_MILLIS == 0 ? null : threads();

    private final AtomicLong count = new AtomicLong();
    private long unlogged;
    private long logged = System.nanoTime() - LOG_NANOS;

    private static ThreadMXBean threads() {
        var threads = ManagementFactory.getThreadMXBean();
        threads.setThreadContentionMonitoringEnabled(true);
        return threads;
    }

    long count() {
        return count.get();
    }

    /** Performs work that others wait for. Only the writer's thread calls this. */
    <T extends @Nullable Object> T measured(Supplier<T> work, Supplier<T> within) {
        long began = System.nanoTime();
        long busy = busyMillis();
        T value;
        try {
            value = within.get();
        } finally {
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            if (took >= SLOW_MILLIS) slow(work, took);
        }
        long own = busyMillis() - busy;
        if (FAIL_MILLIS > 0 && own > FAIL_MILLIS) {
            throw new IllegalStateException(
                    "a write of %s worked or waited for %d ms, of at most %d ms"
                            .formatted(nameOf(work), own, FAIL_MILLIS));
        }
        return value;
    }

    private void slow(Supplier<?> work, long took) {
        count.incrementAndGet();
        unlogged++;
        long now = System.nanoTime();
        if (now - logged < LOG_NANOS) return;
        LOG.log(
                System.Logger.Level.INFO,
                "a write of {0} took {1} ms, others wait meanwhile ({2} above {3} ms since the"
                        + " last line like this)",
                nameOf(work),
                took,
                unlogged,
                SLOW_MILLIS);
        logged = now;
        unlogged = 0;
    }

    private static String nameOf(Supplier<?> work) {
        var name = work.getClass().getName();
        int lambda = name.indexOf("$$Lambda");
        return lambda < 0 ? name : name.substring(0, lambda);
    }

    /** The time in which this thread computed or waited for another one. */
    private static long busyMillis() {
        if (THREADS == null) return 0;
        var self = THREADS.getThreadInfo(Thread.currentThread().threadId());
        long computed = TimeUnit.NANOSECONDS.toMillis(THREADS.getCurrentThreadCpuTime());
        return self == null ? computed : computed + self.getWaitedTime() + self.getBlockedTime();
    }
}
