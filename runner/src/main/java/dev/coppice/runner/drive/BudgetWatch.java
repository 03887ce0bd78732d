package dev.coppice.runner.drive;

import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Pause;
import dev.coppice.thread.Loops;
import dev.coppice.wire.budget.BudgetCalls;
import dev.coppice.wire.session.SessionCalls;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;

/**
 * Watches the budgets of a session. Before a budget that stops the agent is spent, tells the agent
 * to report what it has done. A share of each budget is reserved for that.
 */
final class BudgetWatch {
    /** The share that is reserved if the blueprint names none. */
    static final double RESERVE = 0.1;

    private static final System.Logger LOG = System.getLogger("driver");
    private static final Duration LOOK = Duration.ofSeconds(2);

    /** Without a budget that stops the agent. One may be set at any time. */
    private static final Duration RARE_LOOK = Duration.ofSeconds(30);

    private final CoppiceClient client;
    private final String session;
    private final double reserve;
    private final BlockingQueue<Heard> heard;

    BudgetWatch(CoppiceClient client, String session, double reserve, BlockingQueue<Heard> heard) {
        this.client = client;
        this.session = session;
        this.reserve = reserve;
        this.heard = heard;
    }

    void start(Loops loops) {
        if (reserve > 0) loops.startOnPlatform("budget", () -> true, this::watch);
    }

    private void watch() throws InterruptedException {
        boolean isStopped = false;
        for (var limit : budget()) {
            isStopped |= stops(limit);
            if (!isNearlySpent(limit)) continue;
            // Repeated by each look, because the program may not have been able to take it.
            heard.put(new Heard.NearlySpent(said(limit)));
            break;
        }
        Pause.of(isStopped ? LOOK : RARE_LOOK);
    }

    private List<BudgetCalls.LimitView> budget() {
        try {
            var answer = client.call(BudgetCalls.READ, new SessionCalls.At(session));
            return answer.isGood() ? answer.value().limits() : List.of();
        } catch (CoppiceClient.Unreachable e) {
            LOG.log(System.Logger.Level.DEBUG, e.getMessage());
            return List.of();
        }
    }

    /** True if the limit ends a live agent. Those on runs and sessions apply when these begin. */
    private static boolean stops(BudgetCalls.LimitView limit) {
        return limit.policy().equals("stop")
                && !limit.kind().equals("runs")
                && !limit.kind().equals("sessions");
    }

    private boolean isNearlySpent(BudgetCalls.LimitView limit) {
        return stops(limit) && limit.left() <= reserve * limit.max();
    }

    private static String said(BudgetCalls.LimitView limit) {
        return "%d of %d %s, set on session %s"
                .formatted(limit.spent(), limit.max(), limit.kind(), limit.setBy());
    }
}
