package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The hook server's ports of their own: its stream, answers of people, and what any page may do.
 */
@Timeout(60)
class HookStreamTest {
    private static final String PAGE = "http://localhost:5173";
    private final Caller server =
            Product.caller(Map.of("COPPICE_COMPAT_PORTS", "0", "COPPICE_COMPAT_OPEN", "true"));
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        http.close();
        server.close();
    }

    private String url() {
        return server.coordinator().hookUrls().getFirst();
    }

    private HttpResponse<String> call(String method, String path, String body, String origin) {
        try {
            var request =
                    HttpRequest.newBuilder(URI.create(url() + path))
                            .method(method, HttpRequest.BodyPublishers.ofString(body))
                            .header("Content-Type", "application/json")
                            .header("Origin", origin)
                            .build();
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private JsonNode post(String type, String more) {
        var body =
                """
                {"source_app":"app","session_id":"s","hook_event_type":"%s","payload":{}%s}\
                """
                        .formatted(type, more);
        var answer = call("POST", "/events", body, PAGE);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.read(answer.body());
    }

    /** A page's socket, and the messages that it has received. */
    private static final class Page implements WebSocket.Listener {
        private final BlockingQueue<JsonNode> received = new LinkedBlockingQueue<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                received.add(Json.read(text.toString()));
                text.setLength(0);
            }
            socket.request(1);
            return CompletableFuture.completedFuture(null);
        }

        JsonNode next() throws InterruptedException {
            return received.take();
        }
    }

    private WebSocket open(Page page) {
        return http.newWebSocketBuilder()
                .header("Origin", PAGE)
                .buildAsync(URI.create(url().replace("http", "ws") + "/stream"), page)
                .join();
    }

    @Test
    void a_page_gets_the_newest_events_and_then_each_further_one_once() throws Exception {
        for (int i = 0; i < 302; i++) post("T" + i, "");
        var page = new Page();
        var socket = open(page);
        var initial = page.next();
        assertThat(initial.get("type").asString()).isEqualTo("initial");
        assertThat(initial.get("data").size()).isEqualTo(300);
        assertThat(initial.get("data").get(0).get("hook_event_type").asString()).isEqualTo("T2");
        assertThat(initial.get("data").get(299).get("hook_event_type").asString())
                .isEqualTo("T301");
        for (int i = 0; i < 20; i++) post("After" + i, "");
        for (int i = 0; i < 20; i++) {
            var event = page.next();
            assertThat(event.get("type").asString()).isEqualTo("event");
            assertThat(event.get("data").get("hook_event_type").asString()).isEqualTo("After" + i);
        }
        socket.sendText("{\"type\":\"ping\"}", true).join();
        assertThat(page.next().toString()).isEqualTo("{\"type\":\"pong\"}");
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    }

    /** The pages of the relationship server have its port written into them. */
    @Test
    void the_relationship_servers_pages_are_told_of_agents() throws Exception {
        Assumptions.assumeTrue(isFree(4056), "skipped: port 4056 is taken");
        var settings = Map.of("COPPICE_COMPAT_PORTS", "4056", "COPPICE_COMPAT_OPEN", "true");
        try (var other = Product.caller(settings)) {
            var page = new Page();
            var socket =
                    http.newWebSocketBuilder()
                            .header("Origin", PAGE)
                            .buildAsync(URI.create("ws://127.0.0.1:4056/stream"), page)
                            .join();
            assertThat(text(page.next())).isEqualTo("initial");
            assertThat(text(page.next())).isEqualTo("terminal_status");
            socket.sendText("{\"type\":\"get_terminal_status\"}", true).join();
            assertThat(text(page.next())).isEqualTo("terminal_status");
            for (var type : List.of("SubagentStart", "SubagentStop")) {
                other.post(
                        "/events",
                        """
                        {"source_app":"app","session_id":"s","hook_event_type":"%s",
                         "payload":{"agent_id":"a1","agent_type":"tester"}}\
                        """
                                .formatted(type));
            }
            var seen = new ArrayList<JsonNode>();
            while (seen.stream().filter(m -> text(m).equals("agent_status_update")).count() < 2) {
                seen.add(page.next());
            }
            assertThat(seen.stream().map(HookStreamTest::text))
                    .containsSubsequence(
                            "event",
                            "session_spawn",
                            "agent_started",
                            "hook_status_update",
                            "event",
                            "child_session_completed",
                            "agent_completed");
            var spawn = seen.get(1);
            assertThat(spawn.get("session_id").asString()).isEqualTo("s~a1");
            assertThat(spawn.get("data").get("parent_session_id").asString()).isEqualTo("s");
            socket.abort();
        }
    }

    private static String text(JsonNode message) {
        return message.get("type").asString();
    }

    private static boolean isFree(int port) {
        try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void nothing_is_lost_or_doubled_while_pages_come_and_go() throws Exception {
        var writer =
                Thread.ofVirtual()
                        .start(() -> {
                            for (int i = 0; i < 200; i++) post("N" + i, "");
                        });
        for (int round = 0; round < 5; round++) {
            var page = new Page();
            var socket = open(page);
            var seen = new ArrayList<Long>();
            for (var event : page.next().get("data")) seen.add(event.get("id").asLong());
            while (seen.size() < Math.min(200, 40 * (round + 1))) {
                seen.add(page.next().get("data").get("id").asLong());
            }
            assertThat(seen).doesNotHaveDuplicates().isSorted();
            var stored = Json.read(call("GET", "/events/recent?limit=-1", "", PAGE).body());
            var numbers = new ArrayList<Long>();
            for (var event : stored) numbers.add(event.get("id").asLong());
            assertThat(seen).isEqualTo(numbers.subList(0, seen.size()));
            socket.abort();
        }
        writer.join();
    }

    @Test
    void a_persons_answer_reaches_the_agents_socket_and_the_pages() throws Exception {
        try (var agent = new Agent()) {
            var asked =
                    post(
                            "HumanInTheLoop",
                            """
                            ,"humanInTheLoop":{"question":"go?","type":"permission",
                             "responseWebSocketUrl":"ws://localhost:%d"}\
                            """
                                    .formatted(agent.port()));
            var page = new Page();
            var socket = open(page);
            page.next();
            var answer =
                    call(
                            "POST",
                            "/events/" + asked.get("id") + "/respond",
                            "{\"permission\":true,\"hookEvent\":{},\"respondedBy\":\"me\"}",
                            PAGE);
            assertThat(answer.statusCode()).isEqualTo(200);
            var status = Json.read(answer.body()).get("humanInTheLoopStatus");
            assertThat(status.get("status").asString()).isEqualTo("responded");
            assertThat(status.get("respondedAt").asLong()).isPositive();
            assertThat(status.at("/response/respondedBy").asString()).isEqualTo("OPERATOR");
            assertThat(server.get("/audit").toString()).contains("respond");
            assertThat(status.get("response").get("permission").asBoolean()).isTrue();
            assertThat(Json.read(agent.taken()).get("permission").asBoolean()).isTrue();
            var told = page.next().get("data");
            assertThat(told.get("id")).isEqualTo(asked.get("id"));
            assertThat(told.get("humanInTheLoopStatus").get("status").asString())
                    .isEqualTo("responded");
            socket.abort();
        }
        var recent = Json.read(call("GET", "/events/recent", "", PAGE).body());
        assertThat(recent.get(0).get("humanInTheLoopStatus").get("status").asString())
                .isEqualTo("responded");
    }

    /** A sender could make the coordinator call any port of this machine. */
    @Test
    void an_answer_goes_to_no_process_that_did_not_ask() throws Exception {
        var other =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Bystander.class.getName())
                        .start();
        try (var said = other.inputReader(StandardCharsets.UTF_8)) {
            var asks =
                    ",\"humanInTheLoop\":{\"question\":\"q\",\"responseWebSocketUrl\":"
                            + "\"ws://localhost:%s\"}".formatted(said.readLine());
            var path = "/events/" + post("HumanInTheLoop", asks).get("id") + "/respond";
            var answer = call("POST", path, "{\"response\":\"yes\"}", PAGE);
            assertThat(answer.statusCode()).isEqualTo(200);
            // It ends when it is asked to or called.
            other.getOutputStream().close();
            assertThat(said.readLine()).isEqualTo("not called");
        } finally {
            other.destroyForcibly();
        }
    }

    /** A process that listens, tells its port, and tells if it is called. */
    static final class Bystander {
        private Bystander() {}

        public static void main(String[] arguments) throws IOException {
            try (var listening = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
                IO.println(listening.getLocalPort());
                while (System.in.read() >= 0) {}
                listening.setSoTimeout(1);
                try (var _ = listening.accept()) {
                    IO.println("called");
                } catch (SocketTimeoutException _) {
                    IO.println("not called");
                }
            }
        }
    }

    @Test
    void an_answer_is_kept_if_nobody_listens_and_never_sent_to_another_machine() {
        for (var url :
                List.of("ws://localhost:1", "ws://example.com:80", "http://localhost", "::")) {
            var asks =
                    ",\"humanInTheLoop\":{\"question\":\"q\",\"responseWebSocketUrl\":\"%s\"}"
                            .formatted(url);
            var path = "/events/" + post("HumanInTheLoop", asks).get("id") + "/respond";
            var answer = call("POST", path, "{\"response\":\"yes\"}", PAGE);
            assertThat(answer.statusCode()).as(url).isEqualTo(200);
            assertThat(answer.body()).contains("\"responded\"");
        }
        var asked = post("HumanInTheLoop", ",\"humanInTheLoop\":{\"question\":\"q\"}");
        var huge = "{\"response\":\"%s\"}".formatted("x".repeat(70_000));
        assertThat(call("POST", "/events/" + asked.get("id") + "/respond", huge, PAGE).statusCode())
                .isEqualTo(413);
        var unknown = call("POST", "/events/999999/respond", "{\"response\":\"x\"}", PAGE);
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).isEqualTo("{\"error\":\"Event not found\"}");
    }

    /** They were answered with 200 and a line of text, so a deletion seemed done. */
    @Test
    void what_is_not_served_is_404_and_changes_nothing() {
        for (var path :
                List.of(
                        "/api/themes/dusk",
                        "/api/agent-names",
                        "/api/agent-executions",
                        "/api/fallback/handoffs/shop",
                        "/events",
                        "/nothing/here",
                        "/health")) {
            for (var method : List.of("PUT", "DELETE")) {
                var answer = call(method, path, "{}", PAGE);
                assertThat(answer.statusCode()).as(method + " " + path).isEqualTo(404);
                assertThat(Json.read(answer.body()).get("error").asString()).contains(path);
            }
        }
        assertThat(call("GET", "/api/agent-names", "", PAGE).statusCode()).isEqualTo(404);
        assertThat(call("POST", "/api/fallback/sync", "{}", PAGE).statusCode()).isEqualTo(404);
    }

    @Test
    void greetings_and_any_preflight_are_answered_for_pages_of_this_machine() {
        for (var path : List.of("/", "/health", "/api/health")) {
            var answer = call("GET", path, "", PAGE);
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type")).contains("text/plain");
        }
        var preflight = call("OPTIONS", "/anything", "", PAGE);
        assertThat(preflight.statusCode()).isEqualTo(200);
        assertThat(preflight.headers().firstValue("Access-Control-Allow-Origin")).contains("*");
        assertThat(preflight.headers().firstValue("Access-Control-Allow-Methods"))
                .contains("GET, POST, PUT, DELETE, OPTIONS");
        assertThat(preflight.headers().firstValue("Access-Control-Allow-Headers"))
                .contains("Content-Type");
        // The coordinator's own paths are not served here.
        assertThat(call("GET", "/sessions", "", PAGE).body()).doesNotContain("session_id");
    }

    @Test
    void pages_of_other_machines_are_refused() {
        for (var origin : List.of("http://evil.example", "null", "http://localhost.evil.example")) {
            var answer = call("GET", "/events/recent", "", origin);
            assertThat(answer.statusCode()).as(origin).isEqualTo(403);
            assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
        }
    }

    @Test
    void no_port_but_the_own_one_is_open_by_default() {
        try (var plain = Product.caller()) {
            assertThat(plain.coordinator().hookUrls()).isEmpty();
            assertThat(plain.coordinator().pathUrls()).isEmpty();
        }
    }

    @Test
    void a_port_that_is_not_open_needs_a_token_in_the_path() {
        try (var closed = Product.caller(Map.of("COPPICE_COMPAT_PORTS", "0"))) {
            var url = closed.coordinator().hookUrls().getFirst();
            var token = closed.post("/tokens", "{\"role\":\"ingest\"}").get("token").asString();
            assertThat(status(url + "/events")).isEqualTo(401);
            assertThat(status(url + "/t/" + token + "/events")).isEqualTo(200);
            assertThat(status(url + "/t/nonsense/events")).isEqualTo(401);
            var operator =
                    closed.post("/tokens", "{\"role\":\"operator\"}").get("token").asString();
            assertThat(status(url + "/t/" + operator + "/events")).isEqualTo(200);
            assertThat(status(url + "/t/" + closed.token() + "/events")).isEqualTo(403);
        }
    }

    private int status(String url) {
        var body =
                "{\"source_app\":\"a\",\"session_id\":\"s\",\"hook_event_type\":\"T\",\"payload\":{}}";
        var request =
                HttpRequest.newBuilder(URI.create(url))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString()).join().statusCode();
    }

    @Test
    void themes_are_kept_and_faulty_ones_are_refused_field_by_field() {
        var colors = new StringBuilder();
        for (var name :
                List.of(
                        "primary",
                        "primaryHover",
                        "primaryLight",
                        "primaryDark",
                        "bgPrimary",
                        "bgSecondary",
                        "bgTertiary",
                        "bgQuaternary",
                        "textPrimary",
                        "textSecondary",
                        "textTertiary",
                        "textQuaternary",
                        "borderPrimary",
                        "borderSecondary",
                        "borderTertiary",
                        "accentSuccess",
                        "accentWarning",
                        "accentError",
                        "accentInfo",
                        "shadow",
                        "shadowLg",
                        "hoverBg",
                        "activeBg",
                        "focusRing")) {
            colors.append(colors.isEmpty() ? "" : ",").append("\"%s\":\"#123456\"".formatted(name));
        }
        var theme =
                "{\"name\":\"dusk\",\"displayName\":\"Dusk\",\"isPublic\":true,\"colors\":{%s}}"
                        .formatted(colors);
        assertThat(call("POST", "/api/themes", theme, PAGE).statusCode()).isEqualTo(201);
        var listed = Json.read(call("GET", "/api/themes?isPublic=true", "", PAGE).body());
        assertThat(listed.get("success").asBoolean()).isTrue();
        assertThat(listed.get("data").get(0).get("displayName").asString()).isEqualTo("Dusk");
        var again = call("POST", "/api/themes", theme, PAGE);
        assertThat(again.statusCode()).isEqualTo(400);
        assertThat(again.body()).contains("\"validationErrors\"", "DUPLICATE");
        var faulty = call("POST", "/api/themes", theme.replace("#123456", "url(x)"), PAGE);
        assertThat(faulty.body()).contains("INVALID_COLOR", "colors.focusRing");
    }

    /** The socket that an agent opens to wait for its answer. */
    private static final class Agent implements AutoCloseable {
        private final ServerSocket listening =
                new ServerSocket(0, 1, InetAddress.getByName("localhost"));
        private final CompletableFuture<String> taken = new CompletableFuture<>();

        Agent() throws IOException {
            Thread.ofVirtual().start(this::take);
        }

        int port() {
            return listening.getLocalPort();
        }

        String taken() {
            return taken.join();
        }

        private void take() {
            try (var socket = listening.accept();
                    var in = new DataInputStream(socket.getInputStream())) {
                var head = new StringBuilder();
                while (head.indexOf("\r\n\r\n") < 0) head.append((char) in.readUnsignedByte());
                var key =
                        head.toString()
                                .lines()
                                .filter(l ->
                                        l.toLowerCase(java.util.Locale.ROOT)
                                                .startsWith("sec-websocket-key:"))
                                .map(l -> l.substring(l.indexOf(':') + 1).strip())
                                .findFirst()
                                .orElseThrow();
                var accept =
                        Base64.getEncoder()
                                .encodeToString(
                                        MessageDigest.getInstance("SHA-1")
                                                .digest(
                                                        (key
                                                                        + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
                                                                .getBytes(StandardCharsets.UTF_8)));
                socket.getOutputStream()
                        .write(
                                ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                                                + "Connection: Upgrade\r\nSec-WebSocket-Accept: "
                                                + accept
                                                + "\r\n\r\n")
                                        .getBytes(StandardCharsets.UTF_8));
                in.readByte();
                int length = in.readUnsignedByte() & 0x7f;
                if (length == 126) length = in.readUnsignedShort();
                var mask = in.readNBytes(4);
                var bytes = in.readNBytes(length);
                for (int i = 0; i < length; i++) bytes[i] ^= mask[i % 4];
                taken.complete(new String(bytes, StandardCharsets.UTF_8));
            } catch (IOException | NoSuchAlgorithmException e) {
                taken.completeExceptionally(e);
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }
}
