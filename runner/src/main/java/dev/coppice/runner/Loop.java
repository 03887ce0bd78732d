package dev.coppice.runner;

import java.time.Duration;

/**
 * A loop of the runner, on a thread of its own. One that ends while its runner is open has failed:
 * that is logged as an error, and it starts again.
 */
final class Loop {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private Loop() {}

    static Thread start(String name, Runner runner, Runnable loop) {
        return Thread.ofVirtual().name(name).start(() -> repeat(name, runner, loop));
    }

    private static void repeat(String name, Runner runner, Runnable loop) {
        while (runner.isOpen()) {
            try {
                loop.run();
                if (!runner.isOpen() || Thread.currentThread().isInterrupted()) return;
                LOG.log(System.Logger.Level.ERROR, "{0} has ended; it starts again", name);
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, name + " has failed; it starts again", e);
            }
            if (runner.waited(PAUSE)) return;
        }
    }
}
