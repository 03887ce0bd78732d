package dev.coppice.upkeep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Runs each sweep again and again, on a thread of its own. A sweep that found something runs again
 * at once; one that fails is logged and tried the next time. What a sweep does is decided
 * elsewhere: here is only when.
 */
public final class Sweeps implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("upkeep");
    private static final int CLOSE_SECONDS_MAX = 5;
    private final List<Sweep> sweeps;
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** One sweep: its name, how often, and what it does; it says how much there was to do. */
    public record Sweep(String name, Duration every, IntSupplier work) {}

    public Sweeps(List<Sweep> sweeps) {
        this.sweeps = List.copyOf(sweeps);
    }

    public void start() {
        for (var sweep : sweeps) {
            threads.add(
                    Thread.ofVirtual().name("sweep-" + sweep.name()).start(() -> repeat(sweep)));
        }
    }

    private void repeat(Sweep sweep) {
        try {
            while (!closed.await(sweep.every().toMillis(), TimeUnit.MILLISECONDS)) once(sweep);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void once(Sweep sweep) {
        try {
            int found = sweep.work().getAsInt();
            while (found > 0 && closed.getCount() > 0) {
                LOG.log(System.Logger.Level.INFO, "{0}: {1}", sweep.name(), found);
                found = sweep.work().getAsInt();
            }
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "sweep " + sweep.name(), e);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        for (var thread : threads) {
            try {
                thread.join(Duration.ofSeconds(CLOSE_SECONDS_MAX));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
