package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;

import java.util.List;
import java.util.Map;

/** Sessions and events per second over HTTP, one per request, each synced before its answer. */
final class WriteBench {
    private static final Map<Integer, Double> OF_SESSIONS = Map.of(1, 0.25, 64, 0.35);
    private static final double OF_MANY = 0.12;

    private static final double OF_EVENTS = 0.20;
    private static final double OF_EVENTS_TOGETHER = 0.12;
    private static final String EVENT =
            "{\"event_type\":\"message\",\"role\":\"assistant\",\"text\":\""
                    + "x".repeat(160)
                    + "\"}";

    private WriteBench() {}

    static void sessions(Verdicts verdicts) throws Exception {
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
                        OF_SESSIONS.getOrDefault(clients, OF_MANY));
            }
        }
    }

    static void events(Verdicts verdicts) throws Exception {
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
                        clients == 1 ? OF_EVENTS : OF_EVENTS_TOGETHER);
            }
        }
    }
}
