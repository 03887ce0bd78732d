package dev.coppice.bench;

import dev.coppice.wire.Json;

import java.util.ArrayList;
import java.util.List;

/** Time from POST /runs to the running agent process, against starting that process by hand. */
final class DispatchBench {
    private static final int RUNS = 150;
    private static final int WARMING = 30;

    /** A dispatch adds two requests and three commits to a process start, but no timer wait. */
    private static final double TARGET = 12.0;

    private static final List<String> COMMAND = List.of("date", "+%s%N");

    private DispatchBench() {}

    static void run(Verdicts verdicts) throws Exception {
        try (var server = new Server()) {
            try (var _ = server.runner(64)) {
                server.post("/agents", "{\"name\":\"date\",\"command\":[\"date\",\"+%s%N\"]}");
                var ours = new ArrayList<Long>();
                var bare = new ArrayList<Long>();
                for (int i = 0; i < RUNS; i++) {
                    long one = dispatched(server);
                    long other = startedByHand();
                    if (i < WARMING) continue;
                    ours.add(one);
                    bare.add(other);
                }
                var dispatched = Load.of(ours, 1);
                var byHand = Load.of(bare, 1);
                Verdicts.note(
                        "dispatched p50 %.1f ms, p99 %.1f ms; by hand p50 %.1f ms, p99 %.1f ms",
                        dispatched.p50Millis(),
                        dispatched.p99Millis(),
                        byHand.p50Millis(),
                        byHand.p99Millis());
                verdicts.atMost(
                        "POST /runs to the process running, against by hand",
                        dispatched.p50Millis() / byHand.p50Millis(),
                        TARGET);
                verdicts.atMost(
                        "p99, against the original's best dispatch, 76 ms",
                        dispatched.p99Millis() / 76.0,
                        1.0);
            }
        }
    }

    private static long dispatched(Server server) {
        long from = now();
        var run = server.post("/runs", "{\"agent_name\":\"date\",\"prompt\":\"x\"}");
        var path = "/runs/" + Json.text(run, "run_id") + "?wait=20s";
        return printed(String.valueOf(Json.text(server.get(path), "result_text"))) - from;
    }

    private static long startedByHand() throws Exception {
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
