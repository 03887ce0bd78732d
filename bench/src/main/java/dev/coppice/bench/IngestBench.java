package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Events of observed agents: one by one, in batches, and on to those who follow. */
final class IngestBench {
    private static final int SESSIONS = 200;
    private static final int BODIES = 2_000;
    private static final int IN_A_BATCH = 100;
    private static final String HOOKS = "/hooks/claude_code";
    private static final int AGENTS = 64;
    private static final double HOOK_MILLIS_MAX = 20;
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final List<String> TYPES =
            List.of("PreToolUse", "PostToolUse", "UserPromptSubmit", "Notification", "Stop");

    private static final int STORED = 1_000_000;
    private static final int IN_A_FILL = 1_000;
    private static final int LOOKS = 300;
    private static final double MILLIS_MAX = 50;
    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final Duration WINDOW = Duration.ofSeconds(20);
    private static final int CLIENTS = 8;
    private static final int SMALL_BUFFER = 4_096;
    private static final int COLLECTIONS = 5;
    private static final double SLOWER_MAX = 1.5;
    private static final double GROWTH_MEGABYTES_MAX = 64;

    private IngestBench() {}

    /** An event of the size that hooks of real agents send, about 1.1 KB. */
    static String event(int i) {
        var session = "00893aaf-19fa-41d2-8238-%012d".formatted(i % SESSIONS);
        var type = TYPES.get(i % TYPES.size());
        return """
        {"source_app":"app-%d","session_id":"%s","hook_event_type":"%s",\
        "model_name":"claude-sonnet-4-5","payload":{"session_id":"%2$s",\
        "cwd":"/home/dev/app","permission_mode":"default","hook_event_name":"%3$s",\
        "tool_name":"Bash","tool_input":{"command":"%s","timeout":120000},\
        "tool_use_id":"toolu_%08d"}}\
        """
                .formatted(i % 8, session, type, "./gradlew test --info && ".repeat(28), i);
    }

    static void run(Verdicts verdicts) throws Exception {
        try (var server = new Server()) {
            int port = URI.create(server.coordinator().url()).getPort();
            var ours = new Target(port, server.token());
            ours.load(8, 12_000);
            one(verdicts, ours);
            batches(verdicts, ours);
            Followers.measure(verdicts, server, ours);
        }
    }

    private static void one(Verdicts verdicts, Target ours) throws Exception {
        var peer = HookServer.start();
        if (peer.isEmpty()) {
            Verdicts.note("set HOOK_SERVER and BUN to compare with the original hook server");
            return;
        }
        try (var other = peer.get()) {
            var theirs = new Target(other.port(), "");
            theirs.load(8, 4_000);
            for (int clients : List.of(1, 8, 64)) {
                int total = clients == 1 ? 4_000 : 12_000;
                var base = theirs.load(clients, total);
                var load = ours.load(clients, total);
                Verdicts.note("p50 %.2f ms, p99 %.2f ms", load.p50Millis(), load.p99Millis());
                verdicts.atLeast(
                        "posts of %d clients; against the original".formatted(clients),
                        Amount.perSecond(load.perSecond()),
                        Amount.perSecond(base.perSecond()),
                        clients == 1 ? 1.0 : clients == 8 ? 1.5 : 2.0);
            }
        }
    }

    /**
     * 64 agents ask before each tool, twenty times a second each and more often than any agent
     * does, with nothing to deny it. The note is for the same as fast as each is answered.
     */
    static void hooks(Verdicts verdicts) throws Exception {
        try (var server = new Server()) {
            int port = URI.create(server.coordinator().url()).getPort();
            hooks(verdicts, new Target(port, server.token()));
        }
    }

    private static void hooks(Verdicts verdicts, Target ours) throws Exception {
        var hooks = IntStream.range(0, BODIES).mapToObj(IngestBench::hook).toList();
        var full = ours.load(HOOKS, hooks, AGENTS, 12_000);
        Verdicts.note(
                "without a pause: %,.0f a second, p50 %.2f ms, p99 %.2f ms",
                full.perSecond(), full.p50Millis(), full.p99Millis());
        var load = ours.paced(HOOKS, hooks, AGENTS, 12_000);
        Verdicts.note("p50 %.2f ms, %,.0f a second", load.p50Millis(), load.perSecond());
        verdicts.atMost(
                "hook answers to 64 agents at once, p99",
                Amount.millis(load.p99Millis()),
                HOOK_MILLIS_MAX);
    }

    private static String hook(int i) {
        return """
        {"session_id":"00893aaf-19fa-41d2-8238-%012d","cwd":"/home/dev/app",\
        "hook_event_name":"PreToolUse","agent_id":"agent-%d","agent_type":"general-purpose",\
        "tool_name":"Bash","tool_input":{"command":"%s"},"tool_use_id":"toolu_%08d"}\
        """
                .formatted(i % AGENTS, i % 3, "./gradlew test --info && ".repeat(8), i);
    }

    private static void batches(Verdicts verdicts, Target ours) throws Exception {
        var batches =
                IntStream.range(0, 50)
                        .mapToObj(b ->
                                IntStream.range(0, IN_A_BATCH)
                                        .mapToObj(i -> event(b * IN_A_BATCH + i))
                                        .collect(Collectors.joining("\n")))
                        .toList();
        int total = 400;
        ours.load("/events/batch", batches, 2, 50);
        var load = ours.load("/events/batch", batches, 2, total);
        double perSecond = load.perSecond() * IN_A_BATCH;
        double bare = bare(total * IN_A_BATCH);
        verdicts.atLeast(
                "events in batches of 100; against bare inserts",
                Amount.perSecond(perSecond),
                Amount.perSecond(bare),
                0.5);
        verdicts.atLeast("the same, alone", Amount.perSecond(perSecond), 50_000);
    }

    /** Inserts into the original's table with its four indexes, as durably as ours. */
    private static double bare(int total) throws SQLException {
        try (var bare = new HookServer.Table()) {
            return bare.perSecond(total, IN_A_BATCH);
        }
    }

    /**
     * Times the usual look-ups with many events stored: a million, or as many as the environment
     * variable {@code EVENTS} says.
     */
    static void lookups(Verdicts verdicts) throws Exception {
        int events = Integer.parseInt(System.getenv().getOrDefault("EVENTS", "" + STORED));
        try (var server = new Server()) {
            int port = URI.create(server.coordinator().url()).getPort();
            var ours = new Target(port, server.token());
            fill(ours, events);
            awaitIndex(server, events);
            for (var look : looks().entrySet()) {
                var client = ours.client();
                var request = client.get(look.getValue());
                var load = Load.of(1, LOOKS, _ -> client.send(request));
                client.close();
                Verdicts.note("%,d events, p50 %.1f ms", events, load.p50Millis());
                verdicts.atMost(
                        look.getKey() + ", p99", Amount.millis(load.p99Millis()), MILLIS_MAX);
            }
        }
    }

    private static void fill(Target ours, int events) throws Exception {
        int batches = events / IN_A_FILL;
        var client = ours.client();
        for (int b = 0; b < batches; b++) {
            int from = b * IN_A_FILL;
            var body =
                    IntStream.range(from, from + IN_A_FILL)
                            .mapToObj(IngestBench::marked)
                            .collect(Collectors.joining("\n"));
            client.send(client.post("/events/batch", body));
        }
        client.close();
    }

    /** One event in a thousand has a word that no other has. */
    private static String marked(int i) {
        var event = event(i);
        return i % 1000 == 0 ? event.replace("./gradlew test", "./gradlew rare" + i / 1000) : event;
    }

    private static void awaitIndex(Server server, int events) throws InterruptedException {
        while (server.get("/events?limit=1").get("indexed_up_to").asLong() < events) {
            Load.rest(LOOK);
        }
    }

    private static Map<String, String> looks() {
        var session = "00893aaf-19fa-41d2-8238-000000000007";
        var looks = new LinkedHashMap<String, String>();
        looks.put("the newest 300 events", "/events/recent?limit=300");
        looks.put("filter options", "/events/filter-options");
        looks.put("a session's newest events", "/sessions/" + session + "/events");
        looks.put("a tree", "/sessions/" + session + "/tree");
        looks.put("a page of the timeline", "/reports/timeline?session_id=" + session);
        looks.put("what is at work", "/activity");
        looks.put("search for a common word", "/events?text=gradlew");
        looks.put("search for a rare word", "/events?text=rare7");
        looks.put("search for a phrase", "/events?text=" + encoded("\"test --info\""));
        looks.put("search within a session", "/events?text=gradlew&session_id=" + session);
        looks.put("search by type and tool", "/events?types=Stop&tool=Bash");
        return looks;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /**
     * Eight clients post for three minutes, or as many as the environment variable {@code MINUTES}
     * says, while a page and a stream do not read. Latency and memory must be flat.
     */
    static void soak(Verdicts verdicts) throws Exception {
        int minutes = Integer.parseInt(System.getenv().getOrDefault("MINUTES", "3"));
        try (var server = new Server()) {
            var url = URI.create(server.coordinator().url());
            var ours = new Target(url.getPort(), server.token());
            try (var _ = unread(url.resolve("/stream"), server.token());
                    var _ = unread(url.resolve("/sse/sessions"), server.token())) {
                ours.load(8, 20_000);
                long before = used();
                var first = during(ours, WINDOW);
                long until = System.nanoTime() + Duration.ofMinutes(minutes).toNanos();
                var last = first;
                while (System.nanoTime() < until) last = during(ours, WINDOW);
                verdicts.atMost(
                        "p99 of posts in the last 20 seconds of a soak; against the first",
                        Amount.millis(last.p99Millis()),
                        Amount.millis(first.p99Millis()),
                        SLOWER_MAX);
                verdicts.atMost(
                        "memory that a soak leaves",
                        Amount.megabytes((used() - before) / 1e6),
                        GROWTH_MEGABYTES_MAX);
            }
        }
    }

    private static Load during(Target ours, Duration length) throws Exception {
        var bodies = IntStream.range(0, BODIES).mapToObj(IngestBench::event).toList();
        var clients = new ArrayBlockingQueue<HookClient>(CLIENTS);
        for (int i = 0; i < CLIENTS; i++) clients.add(ours.client());
        var requests = bodies.stream().map(b -> clients.element().post("/events", b)).toList();
        try {
            return Load.during(
                    CLIENTS,
                    i -> {
                        var client = Target.taken(clients);
                        client.send(requests.get(i % requests.size()));
                        clients.add(client);
                    },
                    () -> Load.rest(length));
        } finally {
            for (var client : clients) client.close();
        }
    }

    /** A follower that never reads. */
    private static Socket unread(URI path, String token) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(SMALL_BUFFER);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), path.getPort()));
        var upgrade =
                """
                Connection: Upgrade\r
                Upgrade: websocket\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                """;
        boolean isPage = path.getPath().equals("/stream");
        var ask =
                "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n%s\r\n"
                        .formatted(
                                path.getPath(), path.getAuthority(), token, isPage ? upgrade : "");
        socket.getOutputStream().write(ask.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
        return socket;
    }

    /** The bytes of objects in use: the least of some looks, each right after a collection. */
    private static long used() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            var runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
            Load.rest(LOOK);
        }
        return least;
    }

    /** A server that takes events. */
    record Target(int port, String token) {
        Load load(int clients, int total) throws Exception {
            return load(
                    "/events",
                    IntStream.range(0, BODIES).mapToObj(IngestBench::event).toList(),
                    clients,
                    total);
        }

        Load load(String path, List<String> bodies, int clients, int total) throws Exception {
            return load(path, bodies, clients, work -> Load.of(clients, total, work));
        }

        Load paced(String path, List<String> bodies, int clients, int total) throws Exception {
            return load(path, bodies, clients, work -> Load.paced(clients, total, PAUSE, work));
        }

        private interface Kind {
            Load of(IntConsumer work) throws InterruptedException;
        }

        private Load load(String path, List<String> bodies, int clients, Kind kind)
                throws Exception {
            var free = new ArrayBlockingQueue<HookClient>(clients);
            for (int i = 0; i < clients; i++) free.add(new HookClient(port, token));
            var requests = new ArrayList<byte[]>();
            for (var body : bodies) requests.add(free.element().post(path, body));
            try {
                return kind.of(i -> {
                    var client = taken(free);
                    client.send(requests.get(i % requests.size()));
                    free.add(client);
                });
            } finally {
                for (var client : free) client.close();
            }
        }

        static HookClient taken(ArrayBlockingQueue<HookClient> free) {
            try {
                return free.take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }

        HookClient client() throws IOException {
            return new HookClient(port, token);
        }
    }
}
