package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Runs per second through a coordinator with many waiting runners, against one runner. */
final class ClaimBench {
    private static final int RUNS = 6_000;
    private static final int WARMING = 4_000;
    private static final int RUNNERS = 50;

    /** The original: complete cycles of a run per second. */
    private static final double ORIGINAL_PER_SECOND = 62;

    private static final double ONE_MIN = 500;
    private static final double MANY_MIN = 1_500;

    private ClaimBench() {}

    static void run(Verdicts verdicts) throws Exception {
        double one = perSecond(1);
        double many = perSecond(RUNNERS);
        verdicts.atLeast(
                "runs from queued to completed by one runner; against the original's",
                Amount.perSecond(one),
                Amount.perSecond(ORIGINAL_PER_SECOND),
                ONE_MIN / ORIGINAL_PER_SECOND);
        verdicts.atLeast(
                "by 50 runners",
                Amount.perSecond(many),
                Amount.perSecond(ORIGINAL_PER_SECOND),
                MANY_MIN / ORIGINAL_PER_SECOND);
    }

    private static double perSecond(int runners) throws Exception {
        var completed = new CountDownLatch(WARMING + RUNS);
        try (var server = new Server()) {
            var players = new ArrayList<Player>();
            try {
                for (int i = 0; i < runners; i++) {
                    players.add(new Player(server, "p" + i, Player.Ends.AT_ONCE, completed));
                }
                Load.of(8, WARMING, _ -> server.post("/runs", "{\"prompt\":\"x\"}"));
                while (completed.getCount() > RUNS) LockSupport.parkNanos(1_000_000);
                long from = System.nanoTime();
                Load.of(8, RUNS, _ -> server.post("/runs", "{\"prompt\":\"x\"}"));
                completed.await();
                return RUNS / ((System.nanoTime() - from) / 1e9);
            } finally {
                players.forEach(Player::close);
            }
        }
    }
}
