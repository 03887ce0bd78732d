package dev.coppice.runner;

import dev.coppice.client.CoppiceClient;
import dev.coppice.runner.directory.AgentDirectories;
import dev.coppice.runner.process.Machine;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The state that all parts of a runner share: its settings, its coordinator, its id there, its
 * machine, its directories, and whether it is open.
 */
final class Station {
    private final RunnerSettings settings;
    private final CoppiceClient client;
    private final AgentDirectories directories;
    private final Machine machine;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile String id = "";

    Station(RunnerSettings settings) {
        this.settings = settings;
        this.client =
                new CoppiceClient(settings.coordinator(), settings.token())
                        .trusting(settings.trust());
        this.directories = new AgentDirectories(settings.directory());
        this.machine = Machine.here(settings.directory(), settings.containment());
    }

    /** The id of the runner; empty unless the coordinator knows it. */
    String id() {
        return id;
    }

    void registered(String as) {
        id = as;
    }

    void unregistered() {
        id = "";
    }

    boolean isOpen() {
        return closed.getCount() > 0;
    }

    /** Waits; true if the runner was closed meanwhile. */
    boolean waited(Duration length) {
        try {
            return closed.await(length.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    void close() {
        closed.countDown();
    }

    RunnerSettings settings() {
        return settings;
    }

    CoppiceClient client() {
        return client;
    }

    AgentDirectories directories() {
        return directories;
    }

    Machine machine() {
        return machine;
    }

    AgentEnvironment surroundings() {
        return new AgentEnvironment(settings, id);
    }
}
