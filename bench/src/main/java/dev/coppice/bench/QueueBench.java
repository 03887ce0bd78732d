package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;
import dev.coppice.thread.Threads;
import dev.coppice.wire.fleet.Polled;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * A claim and a {@code POST /runs} with a long queue, against a short one. The queue keeps its
 * length: each of 50 runners queues a run, claims one and completes it, in turn. They can take half
 * of the queue; the other half waits for a runner that is not there.
 */
final class QueueBench {
    private static final int SHORT = 100;
    private static final int LONG = 100_000;
    private static final int RUNNERS = 50;
    private static final int CYCLES = 40;
    private static final int WARMING = 40;
    private static final int FILLERS = 64;
    private static final double RATIO_MAX = 2.0;

    private static final String TAKEN = "{\"prompt\":\"x\"}";
    private static final String WAITING =
            "{\"prompt\":\"x\",\"additional_demands\":{\"tags\":[\"nowhere\"]}}";

    private QueueBench() {}

    static void run(Verdicts verdicts) throws Exception {
        // The long one first: what the JVM has compiled by then favours the baseline.
        var many = measured(LONG);
        var few = measured(SHORT);
        verdicts.atMost(
                "a claim with 100,000 queued and 50 runners; against 100 queued",
                Amount.millis(many.claim().p50Millis()),
                Amount.millis(few.claim().p50Millis()),
                RATIO_MAX);
        verdicts.atMost(
                "POST /runs, the same",
                Amount.millis(many.post().p50Millis()),
                Amount.millis(few.post().p50Millis()),
                RATIO_MAX);
    }

    private record Costs(Load post, Load claim) {}

    private static Costs measured(int queued) throws Exception {
        try (var server = new Server()) {
            var filled =
                    Load.of(
                            FILLERS,
                            queued,
                            i -> server.post("/runs", i % 2 == 0 ? TAKEN : WAITING));
            Verdicts.note("%,d queued, %,.0f/s", queued, filled.perSecond());
            var runners =
                    IntStream.range(0, RUNNERS)
                            .mapToObj(i -> new RunnerClient(server, "q" + i))
                            .toList();
            cycle(server, runners, WARMING);
            return cycle(server, runners, CYCLES);
        }
    }

    private static Costs cycle(Server server, List<RunnerClient> runners, int times)
            throws Exception {
        var posts = new ConcurrentLinkedQueue<Long>();
        var claims = new ConcurrentLinkedQueue<Long>();
        var factory = Threads.virtual("runner").factory();
        try (var threads = Executors.newThreadPerTaskExecutor(factory)) {
            var all =
                    runners.stream()
                            .map(runner ->
                                    threads.submit(() -> {
                                        for (int i = 0; i < times; i++)
                                            cycle(server, runner, posts, claims);
                                    }))
                            .toList();
            for (Future<?> one : all) one.get();
        }
        return new Costs(Load.of(List.copyOf(posts), 1), Load.of(List.copyOf(claims), 1));
    }

    private static void cycle(
            Server server, RunnerClient runner, Queue<Long> posts, Queue<Long> claims) {
        long from = System.nanoTime();
        server.post("/runs", TAKEN);
        long posted = System.nanoTime();
        if (!(runner.poll(1) instanceof Polled.Runs runs)) {
            throw new IllegalStateException("nothing to claim in a queue that is never empty");
        }
        claims.add(System.nanoTime() - posted);
        posts.add(posted - from);
        for (var run : runs.all()) {
            runner.started(run);
            runner.completed(run);
        }
    }
}
