package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What people look up, with many events stored: a million, or as many as the environment variable
 * {@code EVENTS} says.
 */
final class LookupBench {
    private static final int EVENTS = 1_000_000;
    private static final int IN_A_BATCH = 1_000;
    private static final int LOOKS = 300;
    private static final double MILLIS_MAX = 50;
    private static final Duration LOOK = Duration.ofSeconds(1);

    private LookupBench() {}

    static void run(Verdicts verdicts) throws Exception {
        int events = Integer.parseInt(System.getenv().getOrDefault("EVENTS", "" + EVENTS));
        try (var server = new Server()) {
            int port = URI.create(server.coordinator().url()).getPort();
            var ours = new IngestBench.Target(port, server.token());
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

    private static void fill(IngestBench.Target ours, int events) throws Exception {
        int batches = events / IN_A_BATCH;
        var client = ours.client();
        for (int b = 0; b < batches; b++) {
            int from = b * IN_A_BATCH;
            var body =
                    IntStream.range(from, from + IN_A_BATCH)
                            .mapToObj(LookupBench::event)
                            .collect(Collectors.joining("\n"));
            client.send(client.post("/events/batch", body));
        }
        client.close();
    }

    /** One event in a thousand has a word that no other has. */
    private static String event(int i) {
        var event = IngestBench.event(i);
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
}
