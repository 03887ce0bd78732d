package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.client.Answer;
import dev.coppice.scene.LongForm;
import dev.coppice.scene.Soak;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.zip.GZIPOutputStream;

/** A coordinator with little memory, and callers that send the most that they may. */
class MemoryTest {
    private static final int AT_ONCE = 16;
    private static final int BYTES = 4 * 1024 * 1024 - 1_000;

    /** The size of a body that callers may send who do more than report. */
    private static final int MORE_BYTES = 16 * 1024 * 1024 - 1_000;

    private static final Set<String> ONLY_REPORT = Set.of("agent", "ingest");
    private static final String SMALL = "-Xmx256m";
    private static final int EMPTY = 150_000;
    private static final List<String> READS =
            List.of(
                    "/sessions/of/events?limit=1000",
                    "/events?limit=1000",
                    "/events/recent?limit=-1",
                    "/api/agents/tools/usage",
                    "/api/hooks/coverage",
                    "/sessions");

    private static final List<String> TOOL_CALLS =
            List.of(
                    """
                    "tools/call","params":{"name":"list_agent_sessions","arguments":{"limit":1000}}
                    """,
                    """
                    "resources/list"
                    """);

    private static final int SOCKETS = 200;
    private static final int EVENTS = 300;
    private static final int EVENT_CHARS = 200_000;

    /** A path, and a body that becomes as much as it can. */
    private static final class Attack {
        private final String path;
        private final String type;
        private final byte[] body;

        Attack(String path, String type, byte[] body) {
            this.path = path;
            this.type = type;
            this.body = body;
        }

        Attack(String path, String json) {
            this(path, "application/json", json.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String filled(String head, String piece, String tail) {
        return filled(BYTES, head, piece, tail);
    }

    private static String filled(int bytes, String head, String piece, String tail) {
        var room = (bytes - head.length() - tail.length()) / (piece.length() + 1);
        return head + (piece + ",").repeat(room - 1) + piece + tail;
    }

    private static byte[] field(int number, byte[] content) {
        var length = new ByteArrayOutputStream();
        for (int left = content.length; ; left >>>= 7) {
            if (left < 128) {
                length.write(left);
                break;
            }
            length.write((left & 127) | 128);
        }
        return ByteBuffer.allocate(1 + length.size() + content.length)
                .put((byte) ((number << 3) | 2))
                .put(length.toByteArray())
                .put(content)
                .array();
    }

    private static byte[] repeated(byte[] piece, int bytes) {
        var all = ByteBuffer.allocate(bytes / piece.length * piece.length);
        while (all.hasRemaining()) all.put(piece);
        return all.array();
    }

    private static Attack spans(byte[] resource, byte[] spans) {
        var scope = field(2, field(2, new byte[0]));
        var whole =
                ByteBuffer.allocate(resource.length + spans.length + scope.length + 64)
                        .put(resource)
                        .put(field(2, spans))
                        .array();
        return new Attack("/v1/traces", "application/x-protobuf", field(1, whole));
    }

    /** A span whose ids are right, and which no session owns. */
    private static byte[] unowned(int number) {
        var trace = field(1, HexFormat.of().parseHex("%032x".formatted(number + 1)));
        var id = field(2, HexFormat.of().parseHex("%016x".formatted(number + 1)));
        var name = field(5, "x".repeat(200).getBytes(StandardCharsets.UTF_8));
        var span = new ByteArrayOutputStream();
        for (var part : List.of(trace, id, name)) span.writeBytes(part);
        return field(2, span.toByteArray());
    }

    private static List<Attack> attacks() {
        var empty = new byte[] {(2 << 3) | 2, 0};
        var attribute = field(1, field(1, "key".getBytes(StandardCharsets.UTF_8)));
        var unowned = new ByteArrayOutputStream();
        for (int i = 0; unowned.size() < BYTES / 2; i++) unowned.writeBytes(unowned(i));
        return List.of(
                spans(new byte[0], repeated(empty, BYTES)),
                spans(field(1, repeated(attribute, BYTES / 2)), repeated(empty, BYTES / 2)),
                spans(new byte[0], unowned.toByteArray()),
                new Attack(
                        "/v1/traces",
                        filled(
                                "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[",
                                "{}",
                                "]}]}]}")),
                new Attack(
                        "/v1/logs",
                        filled(
                                "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[",
                                "{}",
                                "]}]}]}")),
                new Attack(
                        "/v1/metrics",
                        filled("{\"resourceMetrics\":[{\"scopeMetrics\":[", "{}", "]}]}")),
                new Attack("/events/batch", filled("[", "{}", "]")),
                new Attack("/events/batch", "{}\n".repeat(BYTES / 3)),
                new Attack("/events", filled("{\"payload\":[", "[]", "]}")),
                new Attack("/sessions", filled("{\"metadata\":{\"x\":[", "{}", "]}}")),
                new Attack("/runs", filled("{\"scope\":{\"x\":[", "[]", "]}}")),
                new Attack("/waves", filled("{\"members\":[", "{}", "]}")),
                new Attack(
                        "/mcp",
                        filled(
                                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"x\":[",
                                "[]",
                                "]}}")));
    }

    private static List<Attack> largerAttacks() {
        return List.of(
                new Attack("/events/batch", filled(MORE_BYTES, "[", "{}", "]")),
                new Attack("/events", filled(MORE_BYTES, "{\"payload\":[", "[]", "]}")),
                new Attack("/waves", filled(MORE_BYTES, "{\"members\":[", "{}", "]}")),
                new Attack("/config/import", filled(MORE_BYTES, "{\"blueprints\":[", "{}", "]}")));
    }

    private static byte[] packed(byte[] body) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(body);
        }
        return packed.toByteArray();
    }

    /** The roles of the suite: those of callers that run the programs of others. */
    private static final List<String> ROLES = List.of("agent", "ingest");

    private static Map<String, String> tokens(Machine machine) throws Exception {
        var tokens = new LinkedHashMap<String, String>();
        tokens.put("admin", Files.readString(machine.data().resolve("token")).strip());
        for (var role : List.of("operator", "viewer", "ingest", "runner")) {
            var made = machine.post("/tokens", "{\"role\":\"%s\"}".formatted(role));
            tokens.put(role, made.get("token").asString());
        }
        var file = machine.data().resolve("agent-token");
        machine.post("/agents", "{\"name\":\"sh\",\"kind\":\"command\",\"command\":[\"sh\"]}");
        machine.run(
                "start",
                "agent",
                "--agent",
                "sh",
                "-p",
                "printf %%s \"$COPPICE_TOKEN\" >%s".formatted(file));
        tokens.put("agent", Files.readString(file));
        tokens.keySet().retainAll(Soak.part(ROLES, List.copyOf(tokens.keySet())));
        return tokens;
    }

    /** 68 KB with an ingest token, or eight requests of 14 KB of an agent, ended it. */
    @Test
    @LongForm
    void sixteen_of_the_largest_requests_of_any_role_leave_the_coordinator_running()
            throws Exception {
        try (var machine = new Machine();
                var client = HttpClient.newHttpClient()) {
            var up = started(machine);
            var tokens = tokens(machine);
            for (var attack : attacks()) {
                var request =
                        HttpRequest.newBuilder(URI.create(machine.url() + attack.path))
                                .header("Content-Type", attack.type)
                                .header("Content-Encoding", "gzip")
                                .header("Accept", "application/json, text/event-stream")
                                .POST(BodyPublishers.ofByteArray(packed(attack.body)));
                assertAnswered(client, request, tokens.values());
                assertHealthy(machine, up, attack.path);
            }
            tokens.keySet().removeAll(ONLY_REPORT);
            for (var attack : largerAttacks()) {
                // The body is not packed, and its length is not known.
                var body =
                        BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(attack.body));
                var request =
                        HttpRequest.newBuilder(URI.create(machine.url() + attack.path))
                                .header("Content-Type", attack.type)
                                .POST(body);
                sendAtOnce(client, request, tokens.values());
                assertHealthy(machine, up, attack.path);
            }
        }
    }

    /** Sends what is too large for so little memory: it is refused, or its connection is closed. */
    private static void sendAtOnce(
            HttpClient client, HttpRequest.Builder request, Collection<String> tokens)
            throws InterruptedException {
        for (var answer : sentAtOnce(client, request, tokens)) {
            try {
                assertThat(answer.get().statusCode()).isBetween(200, 499);
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(IOException.class);
            }
        }
    }

    /** Stored arrays of nothing became trees of many times their size in each answer. */
    @Test
    @LongForm
    void sixteen_of_the_largest_answers_of_any_role_leave_the_coordinator_running()
            throws Exception {
        try (var machine = new Machine();
                var client = HttpClient.newHttpClient()) {
            var up = started(machine);
            var tokens = tokens(machine);
            var nothings = "[" + "{},".repeat(EMPTY) + "{}]";
            for (int i = 0; i < 10; i++) {
                var event = "\"source_app\":\"a\",\"session_id\":\"of\",\"hook_event_type\":\"X\"";
                machine.post("/events", "{%s,\"payload\":{\"x\":%s}}".formatted(event, nothings));
                machine.post(
                        "/sessions/of/events",
                        "{\"event_type\":\"y\",\"x\":%s}".formatted(nothings));
            }
            for (var path : READS) {
                var request = HttpRequest.newBuilder(URI.create(machine.url() + path));
                assertAnswered(client, request, tokens.values());
                assertHealthy(machine, up, path);
            }
        }
    }

    /**
     * A tool sends its answer twice, as text and as a structure, and its caller may not read it.
     */
    @Test
    @LongForm
    void sixteen_of_the_largest_answers_of_tools_leave_the_coordinator_running() throws Exception {
        try (var machine = new Machine();
                var client = HttpClient.newHttpClient()) {
            var up = started(machine);
            var tokens = tokens(machine);
            var metadata = "[" + "{},".repeat(20_000) + "{}]";
            for (int i = 0; i < 80; i++) {
                machine.post("/sessions", "{\"metadata\":{\"x\":%s}}".formatted(metadata));
            }
            for (var call : TOOL_CALLS) {
                for (var accepts : List.of("application/json", "text/event-stream")) {
                    var body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":%s}".formatted(call);
                    var request =
                            HttpRequest.newBuilder(URI.create(machine.url() + "/mcp"))
                                    .header("Content-Type", "application/json")
                                    .header("Accept", "application/json, " + accepts)
                                    .header("MCP-Protocol-Version", "2025-06-18")
                                    .POST(BodyPublishers.ofString(body));
                    assertAnswered(client, request, tokens.values());
                    assertHealthy(machine, up, call);
                }
            }
        }
    }

    /** Sends a request sixteen times at once with each token. */
    private static void assertAnswered(
            HttpClient client, HttpRequest.Builder request, Collection<String> tokens)
            throws Exception {
        for (var answer : sentAtOnce(client, request, tokens)) {
            var got = answer.get();
            assertThat(got.statusCode()).as("%s: %s", got.uri(), got.body()).isBetween(200, 499);
        }
    }

    private static List<CompletableFuture<HttpResponse<String>>> sentAtOnce(
            HttpClient client, HttpRequest.Builder request, Collection<String> tokens) {
        var sent = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        for (var token : tokens) {
            var one = request.setHeader("Authorization", "Bearer " + token).build();
            for (int i = 0; i < AT_ONCE; i++) {
                sent.add(client.sendAsync(one, BodyHandlers.ofString()));
            }
        }
        return sent;
    }

    /** Two hundred sockets that nobody read held up one write for a minute. */
    @Test
    void readers_that_never_read_delay_nobody_else() throws Exception {
        try (var machine = new Machine()) {
            var up = started(machine);
            var admin = Files.readString(machine.data().resolve("token")).strip();
            for (int i = 0; i < EVENTS; i++) event(machine, i);
            var stuck = new ArrayList<Socket>();
            try {
                for (int i = 0; i < SOCKETS; i++) stuck.add(stuck(machine, admin, i));
                for (int i = 0; i < EVENTS / 10; i++) {
                    event(machine, i);
                    assertThat(machine.client().get("/sessions?limit=5").status()).isEqualTo(200);
                }
            } finally {
                for (var socket : stuck) socket.close();
            }
            event(machine, 0);
            assertHealthy(machine, up, "after the readers");
        }
    }

    private static void event(Machine machine, int number) {
        var text = "x".repeat(EVENT_CHARS);
        machine.post(
                "/events",
                "{\"source_app\":\"a\",\"session_id\":\"s%d\",".formatted(number % 10)
                        + "\"hook_event_type\":\"Notification\",\"payload\":{\"x\":\"%s\"}}"
                                .formatted(text));
    }

    /** A reader of one of three faces, which asks and never reads. */
    private static Socket stuck(Machine machine, String token, int number) throws IOException {
        var url = URI.create(machine.url());
        var path = List.of("/stream", "/sse/sessions?after=0", "/sse/changes").get(number % 3);
        var upgrade =
                """
                Connection: Upgrade\r
                Upgrade: websocket\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                """;
        var socket = new Socket(url.getHost(), url.getPort());
        socket.setReceiveBufferSize(4_096);
        var request =
                "GET %s HTTP/1.1\r\nHost: %s:%d\r\nAuthorization: Bearer %s\r\n%s\r\n"
                        .formatted(
                                path,
                                url.getHost(),
                                url.getPort(),
                                token,
                                path.equals("/stream") ? upgrade : "");
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private static Machine.Program started(Machine machine) {
        var small = Map.of("COPPICE_JAVA_OPTS", SMALL);
        return Machine.ready(machine.launch(small, "up", "--port", "0"));
    }

    private static void assertHealthy(Machine machine, Machine.Program up, String when) {
        assertThat(up.process().isAlive()).as(when).isTrue();
        Answer<JsonNode> health = machine.client().get("/health");
        assertThat(health.isGood()).as(when).isTrue();
        assertThat(Json.text(health.body(), "status")).as(when).isNotNull();
    }
}
