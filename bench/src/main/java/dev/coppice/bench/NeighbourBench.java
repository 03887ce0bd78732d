package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;
import dev.coppice.wire.Json;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Measures other clients while a large tree is removed, purged and restored: appends to another
 * session during the whole time, against the same appends to the same database just before.
 */
final class NeighbourBench {
    /** Two clients, the coordinator and the reading or writing of a file share two cores. */
    private static final double P99_TARGET = 4.0;

    private static final double P99_WHILE_EVENTS_GO = 2.0;
    private static final int CLIENTS = 2;
    private static final int QUIET_SECONDS = 10;

    private final Verdicts verdicts;
    private final Server server;
    private final String what;

    private NeighbourBench(Verdicts verdicts, Server server, String what) {
        this.verdicts = verdicts;
        this.server = server;
        this.what = what;
    }

    static void run(Verdicts verdicts) throws Exception {
        beside(verdicts, 1_000, RemovalBench.EVENTS, "1,000 sessions, 1,000,000 events");
        beside(verdicts, 100_000, 0, "100,000 sessions");
    }

    private static void beside(Verdicts verdicts, int sessions, int events, String what)
            throws Exception {
        try (var server = new Server()) {
            server.post("/sessions", "{\"session_id\":\"neighbour\"}");
            RemovalBench.grow(server, "top", sessions, events);
            new NeighbourBench(verdicts, server, what)
                    .all(events > 0 ? P99_WHILE_EVENTS_GO : P99_TARGET);
        }
    }

    private void all(double whilePurging) throws Exception {
        appends(NeighbourBench::rest);
        var quiet = appends(NeighbourBench::rest);
        beside(
                "a removal",
                P99_TARGET,
                quiet,
                () -> server.post("/sessions/top/removal?wait=1h", "{}"));
        var removal = server.get("/removals").get("removals").get(0);
        var purge = "/removals/" + Json.text(removal, "removal_id") + "/purge?wait=1h";
        beside("a purge", whilePurging, quiet, () -> server.post(purge, "{}"));
        var file = String.valueOf(Json.text(removal.get("backup"), "file"));
        var restore = Json.object().put("file", file).toString();
        beside(
                "a restore",
                P99_TARGET,
                quiet,
                () -> {
                    var begun = server.post("/restores", restore);
                    server.get("/removals/" + Json.text(begun, "removal_id") + "?wait=1h");
                });
    }

    private void beside(String act, double target, Load quiet, Load.Other other) throws Exception {
        var seconds = new double[1];
        var busy = appends(() -> seconds[0] = RemovalBench.seconds(other));
        Verdicts.note(
                "%s: %s took %.1f s; appends beside it %.0f/s, p50 %.2f ms, p99 %.2f ms; without"
                        + " %.0f/s, p50 %.2f ms, p99 %.2f ms",
                what,
                act,
                seconds[0],
                busy.perSecond(),
                busy.p50Millis(),
                busy.p99Millis(),
                quiet.perSecond(),
                quiet.p50Millis(),
                quiet.p99Millis());
        verdicts.atMost(
                "%s: p99 of an append beside %s; against alone".formatted(what, act),
                Amount.millis(busy.p99Millis()),
                Amount.millis(quiet.p99Millis()),
                target);
    }

    private Load appends(Load.Other other) throws Exception {
        return Load.during(
                CLIENTS,
                _ -> server.post("/sessions/neighbour/events", "{\"event_type\":\"message\"}"),
                other);
    }

    private static void rest() throws InterruptedException {
        boolean never = new CountDownLatch(1).await(QUIET_SECONDS, TimeUnit.SECONDS);
        if (never) throw new IllegalStateException("this latch is never opened");
    }
}
