package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;
import dev.coppice.wire.Json;

import java.util.ArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * Time from the request to stop a tree until its last session has ended: a thousand sessions with
 * simulated agents, and a hundred with real processes.
 */
final class StopBench {
    private static final int SESSIONS = 1_000;
    private static final int BRANCHES = 30;
    private static final int PROCESSES = 100;
    private static final int SINGLE_STOPS = 100;
    private static final double TREE_MILLIS_MAX = 1_000;
    private static final double BY_HAND_MAX = 10;

    private StopBench() {}

    static void run(Verdicts verdicts) throws Exception {
        played(verdicts);
        real(verdicts);
    }

    /** Starts a tree of three levels: a root, branches and leaves. */
    private static void grow(Server server, int sessions, int branches, String agent) {
        var body =
                "{\"session_name\":\"%s\",\"agent_name\":\"%s\",\"prompt\":\"x\","
                        + "\"execution_mode\":\"async_poll\"%s}";
        server.post("/runs", body.formatted("top", agent, ""));
        for (int i = 1; i < sessions; i++) {
            var parent = i <= branches ? "top" : "s" + (1 + i % branches);
            var below = ",\"parent_session_name\":\"%s\"".formatted(parent);
            server.post("/runs", body.formatted("s" + i, agent, below));
        }
    }

    private static double stopTree(Server server) {
        var top = server.get("/sessions/by-name/top").get("session");
        var path = "/sessions/" + Json.text(top, "session_id") + "/stop?wait=80s";
        long from = System.nanoTime();
        var answer = server.post(path, "{\"scope\":\"tree\"}");
        double millis = (System.nanoTime() - from) / 1e6;
        if (!answer.get("over").asBoolean()) throw new IllegalStateException("the stop timed out");
        return millis;
    }

    private static void awaitRunning(Server server, int runs) {
        while (server.get("/runs?limit=1000&status=running").get("runs").size() < runs) {
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static void played(Verdicts verdicts) throws Exception {
        try (var server = new Server();
                var player = new Player(server, "player", Player.Ends.WHEN_STOPPED)) {
            grow(server, SESSIONS, BRANCHES, "scripted");
            awaitRunning(server, SESSIONS);
            double tree = stopTree(server);
            for (int i = 0; i < SINGLE_STOPS; i++) {
                server.post("/runs", "{\"session_id\":\"one-%d\",\"prompt\":\"x\"}".formatted(i));
            }
            awaitRunning(server, SINGLE_STOPS);
            var took = new ArrayList<Long>();
            for (int i = 0; i < SINGLE_STOPS; i++) {
                long from = System.nanoTime();
                server.post("/sessions/one-%d/stop?wait=20s".formatted(i), "{\"scope\":\"tree\"}");
                took.add(System.nanoTime() - from);
            }
            var single = Load.of(took, 1);
            Verdicts.note("one by itself p50 %.1f ms (the original: 10 ms)", single.p50Millis());
            verdicts.atMost(
                    "a tree of 1,000 played sessions", Amount.millis(tree), TREE_MILLIS_MAX);
            if (player.held() > 0) throw new IllegalStateException("some runs were not stopped");
        }
    }

    private static void real(Verdicts verdicts) throws Exception {
        double byHand = byHand();
        try (var server = new Server()) {
            try (var runner = server.runner(PROCESSES)) {
                server.post("/agents", "{\"name\":\"sleep\",\"command\":[\"sleep\",\"600\"]}");
                grow(server, PROCESSES, 10, "sleep");
                awaitRunning(server, PROCESSES);
                double tree = stopTree(server);
                verdicts.atMost(
                        "100 real processes by %s; against ending them by hand"
                                .formatted(runner.containment()),
                        Amount.millis(tree),
                        Amount.millis(byHand),
                        BY_HAND_MAX);
            }
        }
    }

    private static double byHand() throws Exception {
        var processes = new ArrayList<Process>();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(new ProcessBuilder("sleep", "600").start());
        }
        long from = System.nanoTime();
        processes.forEach(Process::destroy);
        for (var process : processes) process.waitFor();
        return (System.nanoTime() - from) / 1e6;
    }
}
