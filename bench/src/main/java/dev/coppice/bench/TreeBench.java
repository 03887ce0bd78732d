package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;
import dev.coppice.wire.Json;

import java.util.ArrayList;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** The time to read a page must not depend on the size of the tree or of the database. */
final class TreeBench {
    private static final double FLAT_TARGET = 2.0;
    private static final int TRIES = 60;

    private TreeBench() {}

    static void run(Verdicts verdicts) throws Exception {
        try (var server = new Server()) {
            grow(server, "k1", 1_000);
            var alone = measure(server, "k1");
            grow(server, "k10", 10_000);
            var ten = measure(server, "k10");
            grow(server, "k100", 100_000);
            var hundred = measure(server, "k100");
            var beside = measure(server, "k1");
            say("1,000 alone", alone);
            say("10,000", ten);
            say("100,000", hundred);
            say("1,000 beside 110,000 others", beside);
            verdicts.atMost(
                    "a page of 100,000; against one of 1,000",
                    Amount.millis(hundred.page()),
                    Amount.millis(alone.page()),
                    FLAT_TARGET);
            verdicts.atMost(
                    "a page of 1,000 beside 110,000; against alone",
                    Amount.millis(beside.page()),
                    Amount.millis(alone.page()),
                    FLAT_TARGET);
            verdicts.atMost(
                    "children counted beside 110,000; against alone",
                    Amount.millis(beside.children()),
                    Amount.millis(alone.children()),
                    FLAT_TARGET);
            verdicts.atMost(
                    "descendants counted beside 110,000; against alone",
                    Amount.millis(beside.below()),
                    Amount.millis(alone.below()),
                    FLAT_TARGET);
            verdicts.atMost(
                    "all pages of 100,000; against 100 times those of 1,000",
                    Amount.millis(all(server, "k100")),
                    Amount.millis(100 * all(server, "k1")),
                    FLAT_TARGET);
        }
    }

    private record Reads(double page, double children, double below) {}

    private static void say(String what, Reads reads) {
        Verdicts.note(
                "%s: page of 1000 %.2f ms, children/count %.2f ms, descendants/count %.2f ms",
                what, reads.page(), reads.children(), reads.below());
    }

    private static Reads measure(Server server, String top) {
        return new Reads(
                median(() -> server.get("/sessions/" + top + "/tree?flat=true&limit=1000")),
                median(() -> server.get("/sessions/" + top + "/children/count")),
                median(() -> server.get("/sessions/" + top + "/descendants/count")));
    }

    private static double median(Runnable read) {
        var took = new ArrayList<Long>();
        for (int i = 0; i < TRIES; i++) {
            long from = System.nanoTime();
            read.run();
            took.add(System.nanoTime() - from);
        }
        return Load.of(took, 1).p50Millis();
    }

    private static double all(Server server, String top) {
        long from = System.nanoTime();
        var path = "/sessions/" + top + "/tree?flat=true&limit=1000";
        var page = server.get(path);
        while (page.hasNonNull("next"))
            page = server.get(path + "&after=" + Json.text(page, "next"));
        return (System.nanoTime() - from) / 1e6;
    }

    /** Creates each session below a random earlier one, so the trees are a few levels deep. */
    static void grow(Server server, String top, int size) throws InterruptedException {
        server.post("/sessions", "{\"session_id\":\"" + top + "\"}");
        var born = new ConcurrentHashMap<Integer, String>(java.util.Map.of(0, top));
        Load.of(
                16,
                size - 1,
                i -> {
                    int above = ThreadLocalRandom.current().nextInt(Math.max(1, i / 20 + 1));
                    var parent = born.getOrDefault(above, top);
                    var id = top + "-" + i;
                    server.post(
                            "/sessions",
                            "{\"session_id\":\"%s\",\"parent_session_id\":\"%s\"}"
                                    .formatted(id, parent));
                    born.put(i + 1, id);
                });
        Verdicts.note("grew a tree of %d", size);
    }
}
