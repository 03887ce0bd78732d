package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Alerts over HTTP: raised once for each bad end, listed, streamed and posted with a signature. */
class AlertTest {
    private static final String SECRET = "a secret of the test";

    /** A message as the receiver got it. */
    private record Posted(String body, String timestamp, String signature) {}

    private static String failing(String session) {
        return """
        {"source_app":"a","session_id":"%s","hook_event_type":"SubagentStop",\
        "payload":{"hook_event_name":"SubagentStop","agent_id":"a1","error":"no credit"}}
        """
                .formatted(session);
    }

    private static JsonNode awaitAlerts(Caller server, int count) {
        Eventually.await(
                () -> server.get("/alerts").get("alerts").size() >= count,
                () -> server.get("/alerts").toString());
        return server.get("/alerts").get("alerts");
    }

    @Test
    void a_failed_session_is_posted_once_with_a_signature() throws Exception {
        var posted = new CopyOnWriteArrayList<Posted>();
        var receiver = receiver(posted);
        var url = "http://127.0.0.1:%d/alerts".formatted(receiver.getAddress().getPort());
        var settings = Map.of("COPPICE_ALERT_URL", url, "COPPICE_ALERT_SECRET", SECRET);
        try (var server = new Caller(settings)) {
            server.post("/events", failing("broken"));
            Eventually.await(() -> !posted.isEmpty(), () -> "nothing was posted");
            var first = posted.getFirst();
            var alert = Json.read(first.body());
            assertThat(text(alert, "kind")).isEqualTo("failed");
            assertThat(text(alert, "session_id")).isEqualTo("broken~a1");
            assertThat(first.signature())
                    .isEqualTo("sha256=" + hmac(first.timestamp() + "." + first.body()));
            Eventually.await(
                    () -> "delivered".equals(text(awaitAlerts(server, 1).get(0), "delivery")),
                    () -> server.get("/alerts").toString());
            server.post("/events", failing("second"));
            awaitAlerts(server, 2);
            assertThat(posted.stream().filter(p -> p.body().contains("broken"))).hasSize(1);
        } finally {
            receiver.stop(0);
        }
    }

    private static HttpServer receiver(List<Posted> posted) throws IOException {
        var receiver =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext(
                "/alerts",
                exchange -> {
                    var headers = exchange.getRequestHeaders();
                    var body = exchange.getRequestBody().readAllBytes();
                    posted.add(
                            new Posted(
                                    new String(body, StandardCharsets.UTF_8),
                                    headers.getFirst("X-Coppice-Timestamp"),
                                    headers.getFirst("X-Coppice-Signature")));
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        receiver.start();
        return receiver;
    }

    private static String hmac(String text) throws GeneralSecurityException {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void alerts_are_events_and_an_agent_sees_its_own() {
        try (var server = new Caller()) {
            server.post("/events", failing("one"));
            server.post("/events", failing("two"));
            var alerts = awaitAlerts(server, 2);
            assertThat(text(alerts.get(0), "delivery")).isEqualTo("unsent");
            var events = server.get("/events?session_id=one~a1").get("events");
            assertThat(text(events.get(0).get("event"), "event_type")).isEqualTo("alert");
            var agent = server.as(dev.coppice.access.Caller.agent(new SessionId("one~a1")));
            assertThat(agent.get("/alerts").body().get("alerts").size()).isEqualTo(1);
            assertThat(server.get("/alerts?session_id=two~a1").get("alerts").size()).isEqualTo(1);
        }
    }

    private static List<String> kinds(Caller server, int count) {
        return awaitAlerts(server, count)
                .valueStream()
                .map(one -> String.valueOf(text(one, "kind")))
                .sorted()
                .toList();
    }

    @Test
    void a_spent_budget_and_a_question_are_told_once_for_each_cause() {
        try (var server = new Caller()) {
            server.post(
                    "/hooks/claude_code",
                    "{\"hook_event_name\":\"UserPromptSubmit\",\"session_id\":\"s\"}");
            server.client()
                    .call("PUT", "/sessions/s/budget", Json.read("{\"tokens\":10}"), Map.of());
            for (int i = 0; i < 3; i++) server.post("/sessions/s/usage", "{\"tokens\":10}");
            assertThat(kinds(server, 1)).containsExactly("over_budget");
            server.post("/events", asking("PermissionRequest", 60));
            server.post("/events", asking("Notification", 59));
            assertThat(kinds(server, 2)).containsExactly("asks", "over_budget");
            server.post("/events", asking("PreToolUse", 58));
            server.post("/events", asking("PermissionRequest", 57));
            assertThat(kinds(server, 3)).containsExactly("asks", "asks", "over_budget");
            assertThat(server.get("/sessions/s/health").toString()).contains("May it use");
        }
    }

    private static String asking(String type, int secondsAgo) {
        return """
        {"source_app":"a","session_id":"s","hook_event_type":"%s","timestamp":%d,\
        "payload":{"tool_name":"Bash","tool_input":{"command":"ls"}}}
        """
                .formatted(
                        type,
                        java.time.InstantSource.system()
                                .instant()
                                .minusSeconds(secondsAgo)
                                .toEpochMilli());
    }

    @Test
    void a_test_reaches_whom_the_rules_name() throws Exception {
        try (var server = new Caller()) {
            var file = server.directory().resolve("alerts.json");
            assertThat(server.post("/alerts/test", "{}").get("channels")).isEmpty();
            Files.writeString(
                    file,
                    """
                    {"channels": {"good": {"command": ["true"]}, "bad": {"command": ["false"]}},
                     "rules": [{"on": ["asks"], "to": ["good", "bad"]}]}
                    """);
            Eventually.await(
                    () -> server.get("/alerts/rules").toString().contains("\"good\""),
                    () -> server.get("/alerts/rules").toString());
            var tested = server.post("/alerts/test", "{}").get("channels");
            assertThat(tested.toString())
                    .contains("\"channel\":\"good\",\"ok\":true", "ended with 1");
            assertThat(server.post("/alerts/test", "{\"kind\":\"lost\"}").get("channels"))
                    .isEmpty();
            assertThat(server.refused("/alerts/test", "{\"channel\":\"fax\"}").status())
                    .isEqualTo(400);
            server.post("/events", failing("one"));
            awaitAlerts(server, 1);
            assertThat(server.get("/alerts").toString()).contains("\"deliveries\":[]");
        }
    }
}
