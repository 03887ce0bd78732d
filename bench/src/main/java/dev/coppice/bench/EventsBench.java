package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;

import java.util.List;

/** Events per second over HTTP, one per request, each synced to disk before its answer. */
final class EventsBench {
    private static final double TARGET_ALONE = 0.20;
    private static final double TARGET_TOGETHER = 0.12;
    private static final String EVENT =
            "{\"event_type\":\"message\",\"role\":\"assistant\",\"text\":\""
                    + "x".repeat(160)
                    + "\"}";

    private EventsBench() {}

    static void run(Verdicts verdicts) throws Exception {
        try (var server = new Server();
                var bare = new BareSqlite()) {
            for (int i = 0; i < 100; i++)
                server.post("/sessions", "{\"session_id\":\"s" + i + "\"}");
            bare.sessionsPerSecond(100, 100);
            Load.of(8, 4000, i -> server.post("/sessions/s" + i % 100 + "/events", EVENT));
            for (int clients : List.of(1, 8, 64)) {
                int total = clients == 1 ? 4000 : 20_000;
                var ours =
                        Load.of(
                                clients,
                                total,
                                i -> server.post("/sessions/s" + i % 100 + "/events", EVENT));
                double allowed = bare.eventsPerSecond(total, clients);
                Verdicts.note("p50 %.2f ms, p99 %.2f ms", ours.p50Millis(), ours.p99Millis());
                verdicts.atLeast(
                        "events by %d clients; against bare SQLite".formatted(clients),
                        Amount.perSecond(ours.perSecond()),
                        Amount.perSecond(allowed),
                        clients == 1 ? TARGET_ALONE : TARGET_TOGETHER);
            }
        }
    }
}
