package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Json;

import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Time from the end of a child to its parent's process running, on an idle and a busy server. */
final class CallbackBench {
    private static final int ROUNDS = 125;
    private static final int WARMING = 60;
    private static final int WRITERS = 4;

    private static final double P50_MILLIS_MAX = 20;
    private static final double P99_MILLIS_MAX = 40;

    /** The slowest dispatch of the original, which wakes parents by polling for seconds. */
    private static final double ORIGINAL_WORST_MILLIS = 506;

    private CallbackBench() {}

    static void run(Verdicts verdicts) throws Exception {
        try (var server = new Server()) {
            try (var _ = server.runner(64)) {
                server.post("/agents", "{\"name\":\"date\",\"command\":[\"date\",\"+%s%N\"]}");
                var idle = rounds(server, "idle");
                var busy = busy(server);
                verdicts.atMost(
                        "a parent's process after the end of its child, p50",
                        Amount.millis(idle.p50Millis()),
                        P50_MILLIS_MAX);
                verdicts.atMost("the same, p99", Amount.millis(idle.p99Millis()), P99_MILLIS_MAX);
                verdicts.atMost(
                        "while four clients write, p50; against idle",
                        Amount.millis(busy.p50Millis()),
                        Amount.millis(idle.p50Millis()),
                        6.0);
                verdicts.atMost(
                        "while four clients write, p99; against the original's slowest dispatch",
                        Amount.millis(busy.p99Millis()),
                        Amount.millis(ORIGINAL_WORST_MILLIS),
                        1.0);
            }
        }
    }

    /** Measures while other clients write as fast as they can. */
    private static Load busy(Server server) throws InterruptedException {
        var over = new AtomicBoolean();
        server.post("/sessions", "{\"session_id\":\"noise\"}");
        var writers = new ArrayList<Thread>();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(
                    Threads.virtual("writer")
                            .start(() -> {
                                while (!over.get()) {
                                    server.post(
                                            "/sessions/noise/events",
                                            "{\"event_type\":\"message\",\"text\":\"x\"}");
                                }
                            }));
        }
        try {
            return rounds(server, "busy");
        } finally {
            over.set(true);
            for (var writer : writers) writer.join();
        }
    }

    private static Load rounds(Server server, String name) throws InterruptedException {
        var took = new ArrayList<Long>();
        for (int i = 0; i < ROUNDS; i++) {
            long nanos = round(server, name + i);
            if (i >= WARMING) took.add(nanos);
        }
        return Load.of(took, 1);
    }

    private static long round(Server server, String parent) throws InterruptedException {
        var start = "{\"session_id\":\"%s\",\"agent_name\":\"date\",\"prompt\":\"x\"%s}";
        server.post("/runs?wait=30s", start.formatted(parent, ""));
        var below =
                ",\"parent_session_id\":\"%s\",\"execution_mode\":\"async_callback\""
                        .formatted(parent);
        var child = server.post("/runs?wait=30s", start.formatted(parent + "-kid", below));
        // The times are printed by the agents, so this client must not compete with them.
        Load.rest();
        var runs = server.get("/runs?session_id=" + parent).get("runs");
        while (runs.size() < 2) runs = server.get("/runs?session_id=" + parent).get("runs");
        var path = "/runs/" + Json.text(runs.get(0), "run_id") + "?wait=30s";
        var woken = server.get(path);
        return printed(woken) - printed(child);
    }

    private static long printed(tools.jackson.databind.JsonNode run) {
        return Long.parseLong(String.valueOf(Json.text(run, "result_text")).strip());
    }
}
