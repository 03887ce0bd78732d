package dev.coppice.bench;

import java.util.List;

/** Sessions per second over HTTP, each synced to disk before its answer. */
final class SessionsBench {
    private static final double TARGET_ALONE = 0.20;
    private static final double TARGET_TOGETHER = 0.12;

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
                Verdicts.note("%d clients: %.0f empty answers/s", clients, empty.perSecond());
                Verdicts.note(
                        "%d clients: %.0f/s, p50 %.2f ms, p99 %.2f ms; bare SQLite %.0f/s",
                        clients, ours.perSecond(), ours.p50Millis(), ours.p99Millis(), allowed);
                verdicts.atLeast(
                        "sessions created by %d clients, against bare SQLite".formatted(clients),
                        ours.perSecond() / allowed,
                        clients == 1 ? TARGET_ALONE : TARGET_TOGETHER);
            }
        }
    }
}
