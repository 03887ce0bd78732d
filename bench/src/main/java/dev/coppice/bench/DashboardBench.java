package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;
import dev.coppice.browser.Chromium;
import dev.coppice.browser.Page;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The cost of the page in a browser: the work of each frame, from its start until it is drawn,
 * while ten thousand rows are scrolled or as many lanes are moved; and the memory of the page.
 * First nothing else happens, then a thousand events a second do.
 */
final class DashboardBench {
    private static final int FANOUT = 20;
    private static final int SESSIONS = 10_000;
    private static final int WRITERS = 4;
    private static final int EVENTS_PER_SECOND = 1_000;
    private static final int FRAMES = 600;
    private static final double FRAME_MILLIS_MAX = 16;
    private static final double MEMORY_MB_MAX = 64;
    private static final double READY_MILLIS_MAX = 1_000;
    private static final int LOADS = 20;
    private static final Duration SETTLED = Duration.ofSeconds(3);

    private static final String SCROLL =
            """
            const rows = document.querySelector(".rows");
            rows.scrollTop = (i * 56) % (rows.scrollHeight - rows.clientHeight);\
            """;
    private static final String PAN =
            """
            const lanes = document.querySelector(".lanes");
            lanes.scrollTop = (i * 61) % (lanes.scrollHeight - lanes.clientHeight);
            lanes.dispatchEvent(new WheelEvent("wheel", { deltaX: i % 80 < 40 ? 9 : -9 }));\
            """;

    /** The time from the beginning of the load until rows are in the page. */
    private static final String READY =
            """
            (async () => {
              while (document.querySelectorAll(".row").length < 10) {
                await new Promise(requestAnimationFrame);
              }
              return performance.now();
            })()\
            """;

    private DashboardBench() {}

    static void run(Verdicts verdicts) throws Exception {
        try (var server = new Server();
                var browser = Chromium.start()) {
            var ids = grow(server);
            var link = Json.text(server.post("/sign-in-links", "{}"), "path");
            var page = browser.open(server.coordinator().url() + link);
            page.resize(1280, 800);
            page.await("document.querySelector('main')");
            load(verdicts, page, server);
            measure(verdicts, page, server, "alone");
            try (var writing = new Writing(server, ids)) {
                measure(verdicts, page, server, "with 1,000 events a second");
                Verdicts.note("%.0f events a second were written", writing.perSecond());
            }
            page.close();
        }
    }

    /** Loads without a cache until the first rows of the tree are drawn. */
    private static void load(Verdicts verdicts, Page page, Server server) {
        var took = new ArrayList<Long>();
        for (int i = 0; i < LOADS; i++) {
            page.goToCold(server.coordinator().url() + "/#/tree/top?levels=256");
            took.add((long) (page.evaluate(READY).asDouble() * 1_000_000));
        }
        verdicts.atMost(
                "10,000 rows ready on a cold cache, slowest of " + LOADS + " loads",
                Amount.millis(Collections.max(took) / 1e6),
                READY_MILLIS_MAX);
    }

    private static void measure(Verdicts verdicts, Page page, Server server, String when)
            throws InterruptedException {
        var url = server.coordinator().url();
        page.goTo(url + "/#/tree/top?levels=256");
        page.await("document.querySelectorAll('.row').length > 10");
        page.await("document.querySelector('.foot').innerText.startsWith('10,000 rows')");
        frames(verdicts, page, SCROLL, "10,000 rows scrolled, " + when);
        assertBounded(page);
        page.goTo(url + "/#/timeline/top");
        page.await("document.querySelector('.chart canvas')");
        page.await("document.querySelector('main').innerText.includes('10,000 sessions')");
        frames(verdicts, page, PAN, "10,000 lanes moved, " + when);
        verdicts.atMost(
                "memory of the page, " + when, Amount.megabytes(page.megabytes()), MEMORY_MB_MAX);
    }

    private static void assertBounded(Page page) {
        int rows = page.evaluate("document.querySelectorAll('.row').length").asInt();
        if (rows > 200) throw new IllegalStateException(rows + " rows are in the page");
    }

    private static void frames(Verdicts verdicts, Page page, String move, String what)
            throws InterruptedException {
        Load.rest(SETTLED);
        var took = new ArrayList<Long>();
        for (var millis : page.evaluate(measuring(move))) {
            took.add((long) (millis.asDouble() * 1_000_000));
        }
        var load = Load.of(took, 1);
        verdicts.atMost(
                what + ": work of a frame, p99", Amount.millis(load.p99Millis()), FRAME_MILLIS_MAX);
    }

    /** Moves something in each frame, and tells how long each took, with its layout and paint. */
    private static String measuring(String move) {
        return """
        (async () => {
          const channel = new MessageChannel();
          const drawn = () => new Promise((done) => {
            channel.port1.onmessage = done;
            channel.port2.postMessage(null);
          });
          const took = [];
          for (let i = 0; i < %1$d; i += 1) {
            await new Promise(requestAnimationFrame);
            const begun = performance.now();
            %2$s
            await drawn();
            took.push(performance.now() - begun);
          }
          return took;
        })()
        """
                .formatted(FRAMES, move);
    }

    /** A tree in which no siblings are folded. */
    private static List<String> grow(Server server) throws InterruptedException {
        var ids = new ArrayList<String>();
        session(server, "top", null, ids);
        for (int i = 0; ids.size() < SESSIONS; i++) {
            var parent = ids.get(i);
            for (int child = 0; child < FANOUT && ids.size() < SESSIONS; child++) {
                session(server, parent + "-" + child, parent, ids);
            }
        }
        return ids;
    }

    private static void session(
            Server server, String name, @Nullable String parent, List<String> ids) {
        var body = Json.object().put("session_id", name).put("session_name", name);
        if (parent != null) body.put("parent_session_id", parent);
        server.post("/sessions", Json.write(body));
        ids.add(name);
    }

    /** Writers that report events of all sessions in turn, at a steady pace. */
    private static final class Writing implements AutoCloseable {
        private final List<Thread> writers = new ArrayList<>();
        private final CountDownLatch over = new CountDownLatch(1);
        private final long begun = System.nanoTime();
        private final AtomicLong[] written = new AtomicLong[WRITERS];

        Writing(Server server, List<String> ids) {
            for (int i = 0; i < WRITERS; i++) {
                int mine = i;
                written[i] = new AtomicLong();
                writers.add(Threads.daemon("writer").start(() -> write(server, ids, mine)));
            }
        }

        private void write(Server server, List<String> ids, int mine) {
            long pause = 1_000_000_000L * WRITERS / EVENTS_PER_SECOND;
            try {
                for (long next = System.nanoTime(); over.getCount() > 0; next += pause) {
                    var id = ids.get((int) (written[mine].get() * WRITERS + mine) % ids.size());
                    server.post(
                            "/sessions/" + id + "/events",
                            "{\"event_type\":\"tool\",\"tool_name\":\"Bash\",\"n\":1}");
                    written[mine].incrementAndGet();
                    over.await(next - System.nanoTime(), TimeUnit.NANOSECONDS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        double perSecond() {
            long all = 0;
            for (var one : written) all += one.get();
            return all * 1e9 / (System.nanoTime() - begun);
        }

        @Override
        public void close() {
            over.countDown();
            try {
                for (var writer : writers) writer.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
