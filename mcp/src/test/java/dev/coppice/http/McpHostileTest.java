package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Role;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Clients of {@code /mcp} that send nonsense, half of a request or too much, leave in the middle,
 * or change their minds. {@code -Dcoppice.seed=N} plays one seed again.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class McpHostileTest {
    private static final int MESSAGES = 1_000;
    private static final int SESSIONS = 10_000;
    private static final int OF_AN_AGENT_MAX = 16;
    private static final String LATER =
            "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{},"
                    + "\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}}";
    private static final List<String> METHODS =
            List.of(
                    "initialize",
                    "ping",
                    "logging/setLevel",
                    "server/discover",
                    "tools/list",
                    "tools/call",
                    "prompts/get",
                    "resources/list",
                    "resources/read",
                    "resources/subscribe",
                    "completion/complete",
                    "subscriptions/listen",
                    "tasks/get",
                    "tasks/update",
                    "tasks/cancel",
                    "notifications/cancelled");
    private static final String PARAMS =
            "\"name\":\"delete_session\",\"uri\":\"coppice://sessions/victim/tree\","
                + "\"arguments\":{\"session_id\":\"victim\"},\"taskId\":\"removal.rem_1.x\","
                + "\"requestState\":\"AAAA\",\"inputResponses\":{\"a\":{\"action\":\"accept\"}},"
                + "\"notifications\":{\"resourceSubscriptions\":[\"coppice://sessions/victim\"]},"
                + "\"level\":\"info\",\"requestId\":3,\"cursor\":\"5\","
                + "\"argument\":{\"name\":\"session\",\"value\":\"v\"}";

    private final Caller server = WithMcp.caller();

    @AfterAll
    void stop() {
        server.close();
    }

    private String agentToken(String session) {
        return server.coordinator().token(dev.coppice.access.Caller.agent(new SessionId(session)));
    }

    private Socket sent(String body, String... headers) throws IOException {
        var all = new ArrayList<>(List.of(headers));
        all.add("Authorization: Bearer " + server.token());
        all.add("Accept: application/json, text/event-stream");
        return server.hungUp("POST", "/mcp", body, all.toArray(String[]::new));
    }

    private static int status(Socket socket) throws IOException {
        var line = new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8);
        return Integer.parseInt(line.substring(9));
    }

    @Test
    void broken_messages_are_answered_and_break_nothing() throws IOException {
        long seed = Long.getLong("coppice.seed", 1);
        var random = new Random(seed);
        server.post("/sessions", "{\"session_id\":\"victim\"}");
        var peer = McpPeer.withSession(server, server.token(), "{\"elicitation\":{}}");
        for (int i = 0; i < MESSAGES; i++) {
            var method = METHODS.get(random.nextInt(METHODS.size()));
            var meta = random.nextBoolean() ? "," + LATER : "";
            var whole =
                    "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{%s%s}}"
                            .formatted(i, method, PARAMS, meta);
            var message = BrokenText.of(whole, random).replaceAll("[^\\x00-\\x7f]", "?");
            var headers = new ArrayList<String>();
            if (random.nextBoolean()) headers.add("MCP-Protocol-Version: 2026-07-28");
            if (random.nextBoolean()) headers.add("Mcp-Method: " + method);
            if (random.nextBoolean()) headers.add("Mcp-Name: delete_session");
            if (random.nextInt(3) == 0) headers.add("Mcp-Session-Id: " + peer.session());
            // The client leaves as soon as it has seen the status.
            try (var socket = sent(message, headers.toArray(String[]::new))) {
                assertThat(status(socket))
                        .as("seed %d, message %d: %s", seed, i, message)
                        .isBetween(200, 499);
            }
        }
        assertThat(
                        McpPeer.stateless(server, server.token(), "{}")
                                .post("tools/list", "{}")
                                .status())
                .isEqualTo(200);
        assertThat(McpPeer.withSession(server, server.token(), "{}").post("ping", "{}").status())
                .isEqualTo(200);
        assertThat(server.get("/fsck").get("ok").asBoolean()).isTrue();
    }

    @Test
    void half_a_request_delays_nobody() throws IOException {
        var half =
                ("POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
                                + "Content-Length: 500\r\n\r\n{\"jsonrpc\"")
                        .formatted(
                                server.coordinator().url().substring("http://".length()),
                                server.token());
        var waiting = new ArrayList<Socket>();
        for (int i = 0; i < 20; i++) {
            var port = URI.create(server.coordinator().url()).getPort();
            var socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.getOutputStream().write(half.getBytes(StandardCharsets.UTF_8));
            waiting.add(socket);
        }
        assertThat(
                        McpPeer.stateless(server, server.token(), "{}")
                                .post("tools/list", "{}")
                                .status())
                .isEqualTo(200);
        for (var socket : waiting) socket.close();
    }

    /** A listener that reads nothing, and a sender that takes its time. */
    @Test
    void slow_clients_delay_nobody() throws IOException {
        server.post("/sessions", "{\"session_id\":\"busy\"}");
        var listen =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{"
                    + "\"notifications\":{\"resourceSubscriptions\":[\"coppice://sessions/busy/events\"]},"
                        + LATER
                        + "}}";
        var ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        var head =
                "POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
                        .formatted(
                                server.coordinator().url().substring("http://".length()),
                                server.token());
        var port = URI.create(server.coordinator().url()).getPort();
        try (var deaf =
                        sent(
                                listen,
                                "MCP-Protocol-Version: 2026-07-28",
                                "Mcp-Method: subscriptions/listen");
                var slow = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(deaf.isConnected()).isTrue();
            var whole = head + "Content-Length: " + ping.length() + "\r\n\r\n" + ping;
            for (var piece : whole.split("(?<=\\G.{40})", -1)) {
                slow.getOutputStream().write(piece.getBytes(StandardCharsets.UTF_8));
                slow.getOutputStream().flush();
                server.post("/sessions/busy/events", "{\"event_type\":\"note\"}");
            }
            assertThat(status(slow)).isEqualTo(200);
        }
        assertThat(
                        McpPeer.stateless(server, server.token(), "{}")
                                .post("tools/list", "{}")
                                .status())
                .isEqualTo(200);
    }

    @Test
    void a_caller_that_begins_session_after_session_keeps_the_newest() {
        var token =
                server.coordinator().tokens().issue(dev.coppice.access.Caller.as(Role.OPERATOR));
        var first = McpPeer.withSession(server, token, "{}");
        for (int i = 0; i < SESSIONS; i++) McpPeer.withSession(server, token, "{}");
        var last = McpPeer.withSession(server, token, "{}");
        assertThat(first.post("ping", "{}").status()).isEqualTo(404);
        assertThat(last.post("ping", "{}").status()).isEqualTo(200);
        // Another caller's sessions are not touched.
        var other = McpPeer.withSession(server, server.token(), "{}");
        assertThat(other.post("ping", "{}").status()).isEqualTo(200);
    }

    @Test
    void clients_that_vanish_leave_no_subscription_behind() throws IOException {
        server.post("/sessions", "{\"session_id\":\"watched\"}");
        var token = agentToken("watched");
        var body =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{"
                    + "\"notifications\":{\"resourceSubscriptions\":[\"coppice://sessions/watched\"]},"
                        + LATER
                        + "}}";
        for (int round = 0; round < 3; round++) {
            var open = new ArrayList<Socket>();
            // A place is free again once the coordinator has noticed that its client is gone.
            Eventually.await(() -> opened(open, token, body), () -> "no place is free again");
            for (int i = 1; i < OF_AN_AGENT_MAX; i++) opened(open, token, body);
            for (var socket : open) socket.close();
        }
    }

    private boolean opened(List<Socket> open, String token, String body) {
        try {
            var socket = listening(token, body);
            if (status(socket) == 200) return open.add(socket);
            socket.close();
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Socket listening(String token, String body) throws IOException {
        return server.hungUp(
                "POST",
                "/mcp",
                body,
                "Authorization: Bearer " + token,
                "Accept: text/event-stream",
                "MCP-Protocol-Version: 2026-07-28",
                "Mcp-Method: subscriptions/listen");
    }

    /** Starts a run on a runner that never answers, so that a deletion has to wait. */
    private String outOfReach(String name) {
        var runner =
                text(
                        server.post(
                                "/runner/register",
                                ("{\"hostname\":\"%1$s\",\"project_dir\":\"/\",\"executor_profile\":\"%1$s\","
                                     + "\"protocol\":\"coppice/1\",\"holds\":[]}")
                                        .formatted(name)),
                        "runner_id");
        server.post(
                "/runs",
                ("{\"session_id\":\"%1$s\",\"session_name\":\"%1$s\",\"prompt\":\"x\","
                                + "\"additional_demands\":{\"executor_profile\":\"%1$s\"}}")
                        .formatted(name));
        var run = server.get("/runner/runs?runner_id=" + runner).get("run");
        var sent = Json.object().put("runner_id", runner).put("fence", run.get("fence").asLong());
        server.post("/runner/runs/" + text(run, "run_id") + "/started", sent.toString());
        return name;
    }

    private void assertCalledOff(String session) {
        Eventually.await(
                () ->
                        server.get("/removals")
                                .get("removals")
                                .valueStream()
                                .anyMatch(r ->
                                        session.equals(text(r, "session_id"))
                                                && r.hasNonNull("called_off")),
                () -> server.get("/removals").toString());
        assertThat(server.client().get("/sessions/" + session).status()).isEqualTo(200);
    }

    private String deletion(String session) {
        return McpPeer.confirmed(
                server,
                "{\"session_id\":\"%s\",\"force\":true,\"reason\":\"test\",\"deadline\":\"60s\"}"
                        .formatted(session));
    }

    @Test
    void a_deletion_whose_request_is_cancelled_is_called_off() {
        var later = outOfReach("far-later");
        var peer = McpPeer.stateless(server, server.token(), "{}");
        try (var stream = peer.open("tools/call", withToken(deletion(later)))) {
            stream.next("notifications/progress");
        }
        assertCalledOff(later);
        var earlier = outOfReach("far-earlier");
        var session = McpPeer.withSession(server, server.token(), "{}");
        try (var stream = session.open("tools/call", withToken(deletion(earlier)))) {
            stream.next("notifications/progress");
            session.tell(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                            + "\"params\":{\"requestId\":2}}");
            assertCalledOff(earlier);
        }
        var asTask = outOfReach("far-task");
        var tasks =
                McpPeer.stateless(
                        server,
                        server.token(),
                        "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}");
        var task = text(tasks.tool("delete_session", deletion(asTask)), "taskId");
        var listening =
                (ObjectNode)
                        Json.read("{\"notifications\":{\"taskIds\":[\"%s\"]}}".formatted(task));
        try (var stream = tasks.open("subscriptions/listen", listening)) {
            stream.next("notifications/subscriptions/acknowledged");
            tasks.post("tasks/cancel", Json.object().put("taskId", task));
            var told = stream.next("notifications/tasks").get("params");
            while (!"cancelled".equals(text(told, "status")))
                told = stream.next("notifications/tasks").get("params");
        }
        assertCalledOff(asTask);
    }

    private static ObjectNode withToken(String arguments) {
        var params = McpPeer.call("delete_session", arguments);
        params.putObject("_meta").put("progressToken", "p");
        return params;
    }
}
