package dev.coppice.bench;

import java.util.ArrayList;
import java.util.concurrent.locks.LockSupport;

/** Runs per second through a coordinator with many waiting runners, against one runner. */
final class ClaimBench {
    private static final int RUNS = 1_500;
    private static final int RUNNERS = 50;

    /** The original: complete cycles of a run per second. */
    private static final double ORIGINAL_PER_SECOND = 62;

    private ClaimBench() {}

    static void run(Verdicts verdicts) throws Exception {
        double one = perSecond(1);
        double many = perSecond(RUNNERS);
        Verdicts.note("%d runs, queued to completed: %.0f a second with one runner", RUNS, one);
        Verdicts.note("%.0f a second with %d runners waiting", many, RUNNERS);
        verdicts.atLeast("50 waiting runners, against one", many / one, 1.0);
        verdicts.atLeast(
                "against the original's 62 cycles a second", many / ORIGINAL_PER_SECOND, 5.0);
    }

    private static double perSecond(int runners) throws Exception {
        try (var server = new Server()) {
            var players = new ArrayList<Player>();
            try {
                for (int i = 0; i < runners; i++) {
                    players.add(new Player(server, "p" + i, Player.Ends.AT_ONCE));
                }
                long from = System.nanoTime();
                Load.of(8, RUNS, _ -> server.post("/runs", "{\"prompt\":\"x\"}"));
                while (!server.get("/runs?limit=1&status=queued,claimed,running")
                        .get("runs")
                        .isEmpty()) {
                    LockSupport.parkNanos(5_000_000);
                }
                return RUNS / ((System.nanoTime() - from) / 1e9);
            } finally {
                players.forEach(Player::close);
            }
        }
    }
}
