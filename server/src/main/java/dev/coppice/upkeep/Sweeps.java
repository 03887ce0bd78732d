package dev.coppice.upkeep;

import dev.coppice.kernel.Topic;
import dev.coppice.request.TopicNotifier;
import dev.coppice.thread.Loops;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Runs each sweep repeatedly on its own thread. A sweep that found something runs again at once;
 * one that failed is retried at its next time. The work itself is defined elsewhere.
 */
public final class Sweeps implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("upkeep");
    private static final int CLOSE_SECONDS_MAX = 5;
    private final List<Sweep> sweeps;
    private final TopicNotifier notifier;
    private final Loops loops;
    private final List<Thread> threads = new ArrayList<>();

    /**
     * A sweep: its name, its interval, a topic that also starts it, and its work, which returns how
     * much it found.
     */
    public record Sweep(
            String name, Duration every, @Nullable Topic topic, Finding finding, IntSupplier work) {
        /** Tells whether a sweep that found something writes a line to the log. */
        public enum Finding {
            TOLD,
            ROUTINE
        }

        public Sweep(String name, Duration every, IntSupplier work) {
            this(name, every, null, Finding.TOLD, work);
        }

        public Sweep(String name, Duration every, Topic topic, IntSupplier work) {
            this(name, every, topic, Finding.ROUTINE, work);
        }

        /** A sweep that usually finds something. */
        public static Sweep routine(String name, Duration every, IntSupplier work) {
            return new Sweep(name, every, null, Finding.ROUTINE, work);
        }
    }

    public Sweeps(List<Sweep> sweeps, TopicNotifier notifier, Loops loops) {
        this.sweeps = List.copyOf(sweeps);
        this.notifier = notifier;
        this.loops = loops;
    }

    public void start() {
        for (var sweep : sweeps) {
            var topics = sweep.topic() == null ? new Topic[0] : new Topic[] {sweep.topic()};
            // One subscription for all rounds: a signal between two of them must not be lost.
            var subscription = notifier.subscribe(topics);
            threads.add(
                    loops.start(
                            "sweep-" + sweep.name(),
                            notifier::isOpen,
                            () -> {
                                subscription.await(sweep.every());
                                if (notifier.isOpen()) once(sweep);
                            }));
        }
    }

    private void once(Sweep sweep) {
        int found = sweep.work().getAsInt();
        while (found > 0 && notifier.isOpen()) {
            var level =
                    sweep.finding() == Sweep.Finding.TOLD
                            ? System.Logger.Level.INFO
                            : System.Logger.Level.DEBUG;
            LOG.log(level, "sweep {0} found {1}", sweep.name(), found);
            found = sweep.work().getAsInt();
        }
    }

    /** Waits for sweeps that are running. The closed notifier keeps new ones from starting. */
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
