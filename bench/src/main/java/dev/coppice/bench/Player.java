package dev.coppice.bench;

import dev.coppice.client.CoppiceClient;
import dev.coppice.thread.Threads;
import dev.coppice.wire.fleet.ClaimedRun;
import dev.coppice.wire.fleet.Heartbeat;
import dev.coppice.wire.fleet.Polled;
import dev.coppice.wire.fleet.StopOrder;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A runner without processes: it claims runs, reports their start, and ends them at once or when
 * they are stopped. It serves to measure the coordinator alone.
 */
final class Player implements AutoCloseable {
    /** The number of runs that a runner asks for. */
    private static final int RUNS_AT_ONCE = 16;

    private final RunnerClient client;
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Threads.virtual("player").factory());
    private final Map<String, Long> held = new ConcurrentHashMap<>();
    private final Ends ends;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch completed;
    private volatile boolean open = true;

    /** When its runs end. */
    enum Ends {
        AT_ONCE,
        WHEN_STOPPED
    }

    Player(Server server, String name, Ends ends) {
        this(server, name, ends, new CountDownLatch(0));
    }

    /** Counts {@code completed} down for each run that it has completed. */
    Player(Server server, String name, Ends ends, CountDownLatch completed) {
        this.ends = ends;
        this.completed = completed;
        this.client = new RunnerClient(server, name);
        threads.execute(this::poll);
        threads.execute(this::beat);
    }

    private void poll() {
        while (open) {
            try {
                var polled = client.poll(RUNS_AT_ONCE);
                if (polled == null) return;
                if (polled instanceof Polled.Runs runs) begin(runs.all());
                if (polled instanceof Polled.Stops(var stops)) {
                    for (var stop : stops) threads.execute(() -> stopped(stop));
                }
            } catch (CoppiceClient.Unreachable _) {
                return;
            }
        }
    }

    private void begin(List<ClaimedRun> runs) {
        var confirming = runs.stream().map(run -> threads.submit(() -> started(run))).toList();
        try {
            for (var one : confirming) one.get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException("confirming claims", e);
        }
    }

    private void started(ClaimedRun run) {
        client.started(run);
        if (ends == Ends.AT_ONCE) {
            // A runner polls again while its agents work.
            threads.execute(() -> completed(run));
        } else {
            held.put(run.runId(), run.fence());
        }
    }

    private void completed(ClaimedRun run) {
        client.completed(run);
        completed.countDown();
    }

    private void stopped(StopOrder stop) {
        var fence = held.remove(stop.runId());
        if (fence != null) client.stopped(stop.runId(), fence);
    }

    private void beat() {
        try {
            while (open) {
                if (closing.await(5, TimeUnit.SECONDS)) return;
                var runs = new ArrayList<Heartbeat.Held>();
                held.forEach((run, fence) -> runs.add(new Heartbeat.Held(run, fence, null, null)));
                client.beat(runs);
            }
        } catch (InterruptedException | RuntimeException _) {
            // The benchmark is over and the coordinator is closed.
        }
    }

    int held() {
        return held.size();
    }

    @Override
    public void close() {
        open = false;
        closing.countDown();
        threads.shutdownNow();
    }
}
