package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;
import dev.coppice.wire.Json;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Time from {@code POST /runs} to the first line of the agent, under every containment, against
 * starting the same program by hand. Both pause before each start, as agents do between starts.
 */
final class DispatchBench {
    private static final int RUNS = 100;
    private static final int PLAYED = 3_000;
    private static final int WARMING = 200;
    private static final double TARGET = 3.0;

    private static final List<String> COMMAND = List.of("date", "+%s%N");

    private DispatchBench() {}

    static void run(Verdicts verdicts) throws Exception {
        for (var containment : List.of("cgroup", "namespace", "lineage")) {
            try (var server = new Server()) {
                warm(server);
                try (var _ = server.runner(64, containment)) {
                    measure(verdicts, server, containment);
                } catch (IllegalArgumentException e) {
                    Verdicts.note("%s: %s", containment, String.valueOf(e.getMessage()));
                }
            }
        }
    }

    /** Runs without processes: the coordinator is one that has been in use. */
    private static void warm(Server server) throws InterruptedException {
        var completed = new CountDownLatch(PLAYED);
        try (var _ = new Player(server, "warm", Player.Ends.AT_ONCE, completed)) {
            for (int i = 0; i < PLAYED; i++) server.post("/runs", "{\"prompt\":\"x\"}");
            completed.await();
        }
    }

    private static void measure(Verdicts verdicts, Server server, String containment)
            throws Exception {
        server.post("/agents", "{\"name\":\"date\",\"command\":[\"date\",\"+%s%N\"]}");
        for (int i = 0; i < WARMING; i++) dispatched(server);
        var ours = new ArrayList<Long>();
        for (int i = 0; i < RUNS; i++) {
            Load.rest();
            ours.add(dispatched(server));
        }
        var bare = new ArrayList<Long>();
        for (int i = 0; i < RUNS; i++) {
            Load.rest();
            bare.add(startedByHand());
        }
        var dispatched = Load.of(ours, 1);
        var byHand = Load.of(bare, 1);
        verdicts.atMost(
                containment + ": from the request to the agent's first line, p50; against by hand",
                Amount.millis(dispatched.p50Millis()),
                Amount.millis(byHand.p50Millis()),
                TARGET);
        verdicts.atMost(
                containment + ": the same, p99",
                Amount.millis(dispatched.p99Millis()),
                Amount.millis(byHand.p99Millis()),
                TARGET);
    }

    private static long dispatched(Server server) {
        long from = now();
        var run = server.post("/runs", "{\"agent_name\":\"date\",\"prompt\":\"x\"}");
        var path = "/runs/" + Json.text(run, "run_id") + "?wait=20s";
        return printed(String.valueOf(Json.text(server.get(path), "result_text"))) - from;
    }

    private static long startedByHand() throws IOException {
        long from = now();
        var process = new ProcessBuilder(COMMAND).start();
        try (var reader = process.inputReader()) {
            return printed(reader.readLine()) - from;
        }
    }

    private static long printed(String nanos) {
        return Long.parseLong(nanos.strip());
    }

    /** Reads the same clock as date. */
    private static long now() {
        var now = java.time.InstantSource.system().instant();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
}
