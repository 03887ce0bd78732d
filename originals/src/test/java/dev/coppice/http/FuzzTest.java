package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Messages of real agents, broken at random: each is answered in the manner of its path, none takes
 * the coordinator down, and what was stored before is there. {@code -Dcoppice.seed=N} plays one
 * seed again.
 */
class FuzzTest {
    private static final int MESSAGES = 1_500;
    private static final int FEWER = 400;
    private static final int LINES_MAX = 5;

    private static List<String> corpus() throws IOException {
        var lines = new ArrayList<String>();
        for (var file : List.of("claude-hooks", "codex-hooks")) {
            try (var in = FuzzTest.class.getResourceAsStream("/captured/" + file + ".jsonl")) {
                var bytes = Objects.requireNonNull(in).readAllBytes();
                for (var line : new String(bytes, StandardCharsets.UTF_8).lines().toList()) {
                    var body = Json.read(line).get("body");
                    lines.add(
                            Json.write(
                                    Map.of(
                                            "source_app",
                                            "fuzz",
                                            "session_id",
                                            body.get("session_id"),
                                            "hook_event_type",
                                            body.get("hook_event_name"),
                                            "payload",
                                            body)));
                }
            }
        }
        return lines;
    }

    @Test
    void broken_messages_are_answered_and_break_nothing() throws IOException {
        long seed = Long.getLong("coppice.seed", 1);
        var random = new Random(seed);
        var corpus = corpus();
        try (var server = Product.caller()) {
            var stored = server.client().post("/events", Json.read(corpus.getFirst()));
            assertThat(stored.status()).isEqualTo(200);
            for (int i = 0; i < MESSAGES; i++) {
                var message = BrokenText.of(corpus.get(random.nextInt(corpus.size())), random);
                int status = sent(server, message, random, corpus);
                assertThat(status)
                        .as("seed %d, message %d: %s", seed, i, message)
                        .isBetween(200, 499);
            }
            var first = server.get("/sessions/" + session(corpus) + "/events?after=0");
            assertThat(first.get("events").isEmpty()).isFalse();
        }
    }

    private static String session(List<String> corpus) {
        return Json.read(corpus.getFirst()).get("session_id").asString();
    }

    private static int sent(Caller server, String message, Random random, List<String> corpus) {
        var headers = Map.of("Authorization", "Bearer " + server.token());
        return switch (random.nextInt(5)) {
            case 0 -> {
                var lines = new ArrayList<String>();
                for (int i = random.nextInt(LINES_MAX); i >= 0; i--) {
                    lines.add(corpus.get(random.nextInt(corpus.size())));
                }
                lines.add(random.nextInt(lines.size()), message);
                var answer =
                        server.send("POST", "/events/batch", String.join("\n", lines), headers);
                if (answer.status() == 200) {
                    assertThat(answer.json().get("stored").asInt()).isPositive();
                }
                yield answer.status();
            }
            case 1 -> {
                var text = message.substring(0, Math.min(60, message.length()));
                var query = URLEncoder.encode(text, StandardCharsets.UTF_8);
                yield server.send("GET", "/events?text=" + query, "", headers).status();
            }
            case 2 -> {
                var plan = "{\"dry_run\":true,\"members\":[" + message + "]}";
                yield server.send("POST", "/waves", plan, headers).status();
            }
            default -> server.send("POST", "/events", message, headers).status();
        };
    }

    private static final List<String> PROGRAMS =
            List.of("claude-code", "codex", "gemini", "cursor", "opencode");

    private static List<String> hooks() throws IOException {
        var bodies = new ArrayList<String>();
        for (var file :
                List.of(
                        "/captured/claude-hooks.jsonl",
                        "/captured/codex-hooks.jsonl",
                        "/captured/gemini-hooks.jsonl",
                        "/captured/gemini-nested-hooks.jsonl",
                        "/documented/cursor.jsonl",
                        "/captured/opencode-hooks.jsonl")) {
            try (var in = FuzzTest.class.getResourceAsStream(file)) {
                var bytes = Objects.requireNonNull(in).readAllBytes();
                for (var line : new String(bytes, StandardCharsets.UTF_8).lines().toList()) {
                    var json = Json.read(line);
                    bodies.add(json.has("body") ? json.get("body").toString() : line);
                }
            }
        }
        return bodies;
    }

    /** An agent's hooks reach only its own subtree, whatever they claim. */
    @Test
    void broken_hooks_of_an_agent_reach_only_its_own_subtree() throws IOException {
        long seed = Long.getLong("coppice.seed", 1);
        var random = new Random(seed);
        var bodies = hooks();
        try (var server = Product.caller()) {
            server.post("/sessions", "{\"session_id\":\"agent\",\"session_name\":\"agent\"}");
            server.post("/sessions", "{\"session_id\":\"other\",\"session_name\":\"other\"}");
            var token =
                    server.coordinator()
                            .token(dev.coppice.access.Caller.agent(new SessionId("agent")));
            var headers = Map.of("Authorization", "Bearer " + token);
            for (int i = 0; i < FEWER; i++) {
                var body = bodies.get(random.nextInt(bodies.size()));
                if (random.nextInt(8) == 0)
                    body = body.replaceAll("c-1|ses_\\w+|[0-9a-f]{8}-[0-9a-f-]{27}", "other");
                var message = BrokenText.of(body, random);
                var program = PROGRAMS.get(random.nextInt(PROGRAMS.size()));
                var path = "/hooks/" + program + (random.nextInt(20) == 0 ? "?hold=x" : "");
                var answer = server.send("POST", path, message, headers);
                assertThat(answer.status())
                        .as("seed %d, message %d: %s", seed, i, message)
                        .isBetween(200, 499);
            }
            var roots = new ArrayList<String>();
            for (var tree : server.get("/trees").get("trees")) {
                roots.add(tree.get("id").asString());
            }
            assertThat(roots).as("seed " + seed).containsExactlyInAnyOrder("agent", "other");
            assertThat(server.get("/sessions/other/events").get("events")).isEmpty();
            assertThat(server.get("/sessions/other/children").get("children")).isEmpty();
        }
    }

    @Test
    void broken_exports_are_answered_and_break_nothing() {
        long seed = Long.getLong("coppice.seed", 1);
        var random = new Random(seed);
        var text =
                """
                {"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":
                {"stringValue":"x"}}]},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1",
                "body":{"stringValue":"claude_code.api_request"},"attributes":[{"key":"session.id",
                "value":{"stringValue":"s"}},{"key":"input_tokens","value":{"intValue":"5"}}]}]}]}]}
                """;
        var bytes = new byte[400];
        try (var server = Product.caller()) {
            var json =
                    Map.of(
                            "Authorization",
                            "Bearer " + server.token(),
                            "Content-Type",
                            "application/json");
            var binary =
                    Map.of(
                            "Authorization",
                            "Bearer " + server.token(),
                            "Content-Type",
                            "application/x-protobuf");
            for (int i = 0; i < FEWER; i++) {
                var path = "/v1/" + List.of("logs", "traces", "metrics").get(random.nextInt(3));
                boolean isText = random.nextBoolean();
                random.nextBytes(bytes);
                var body =
                        isText
                                ? BrokenText.of(text, random)
                                : new String(
                                        bytes, 0, random.nextInt(400), StandardCharsets.US_ASCII);
                var answer = server.send("POST", path, body, isText ? json : binary);
                assertThat(answer.status())
                        .as("seed %d, message %d: %s", seed, i, body)
                        .isBetween(200, 499);
            }
            assertThat(server.send("POST", "/v1/logs", text, json).status()).isEqualTo(200);
            assertThat(server.get("/sessions/s").at("/session/state").asString())
                    .isEqualTo("running");
        }
    }
}
