package dev.coppice.upkeep;

import dev.coppice.kernel.Topic;
import dev.coppice.web.Bell;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    private final Bell bell;
    private final List<Thread> threads = new ArrayList<>();

    /**
     * One sweep: its name, how often, on which ring besides, and what it does; it says how much
     * there was to do.
     */
    public record Sweep(String name, Duration every, @Nullable Topic ring, IntSupplier work) {
        public Sweep(String name, Duration every, IntSupplier work) {
            this(name, every, null, work);
        }
    }

    public Sweeps(List<Sweep> sweeps, Bell bell) {
        this.sweeps = List.copyOf(sweeps);
        this.bell = bell;
    }

    public void start() {
        for (var sweep : sweeps) {
            threads.add(
                    Thread.ofVirtual().name("sweep-" + sweep.name()).start(() -> repeat(sweep)));
        }
    }

    private void repeat(Sweep sweep) {
        var topics = sweep.ring() == null ? new Topic[0] : new Topic[] {sweep.ring()};
        try (var ear = bell.ear(topics)) {
            while (bell.isOpen()) {
                ear.heard(sweep.every());
                if (bell.isOpen()) once(sweep);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void once(Sweep sweep) {
        try {
            int found = sweep.work().getAsInt();
            while (found > 0 && bell.isOpen()) {
                // What is rung for is everyday work; what only time finds is worth a line.
                var level =
                        sweep.ring() == null ? System.Logger.Level.INFO : System.Logger.Level.DEBUG;
                LOG.log(level, "{0}: {1}", sweep.name(), found);
                found = sweep.work().getAsInt();
            }
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "sweep " + sweep.name(), e);
        }
    }

    /** The bell has rung for the last time; what is under way is waited for. */
    @Override
    public void close() {
        for (var thread : threads) {
            try {
                thread.join(Duration.ofSeconds(CLOSE_SECONDS_MAX));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
