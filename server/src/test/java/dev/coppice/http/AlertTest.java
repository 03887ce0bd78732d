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
            assertThat(text(alert, "session_id")).isEqualTo("broken:a1");
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
            var events = server.get("/events?session_id=one:a1").get("events");
            assertThat(text(events.get(0).get("event"), "event_type")).isEqualTo("alert");
            var agent = server.as(dev.coppice.access.Caller.agent(new SessionId("one:a1")));
            assertThat(agent.get("/alerts").body().get("alerts").size()).isEqualTo(1);
            assertThat(server.get("/alerts?session_id=two:a1").get("alerts").size()).isEqualTo(1);
        }
    }
}
