package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;

import java.util.List;
import java.util.Map;

/** Sessions per second over HTTP, each synced to disk before its answer. */
final class SessionsBench {
    private static final Map<Integer, Double> TARGETS = Map.of(1, 0.25, 64, 0.35);
    private static final double TARGET = 0.12;

    private SessionsBench() {}

    static void run(Verdicts verdicts) throws Exception {
        try (var server = new Server();
                var bare = new BareSqlite()) {
            bare.sessionsPerSecond(4000, 100);
            Load.of(8, 4000, _ -> server.post("/sessions", "{}"));
            for (int clients : List.of(1, 8, 64)) {
                int total = clients == 1 ? 3000 : 12_000;
                var ours = Load.of(clients, total, _ -> server.post("/sessions", "{}"));
                double allowed = bare.sessionsPerSecond(total, clients);
                var empty = Load.of(clients, total, _ -> server.get("/health"));
                Verdicts.note(
                        "p50 %.2f ms, p99 %.2f ms; %.0f empty answers/s",
                        ours.p50Millis(), ours.p99Millis(), empty.perSecond());
                verdicts.atLeast(
                        "sessions by %d clients; against bare SQLite".formatted(clients),
                        Amount.perSecond(ours.perSecond()),
                        Amount.perSecond(allowed),
                        TARGETS.getOrDefault(clients, TARGET));
            }
        }
    }
}
