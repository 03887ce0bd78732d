package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A client of {@code /mcp} of either era, which reads streams as they come. */
final class McpPeer {
    static final String META = "io.modelcontextprotocol/";
    private static final int ANSWER_SECONDS_MAX = 30;
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String url;
    private final String token;
    private final JsonNode capabilities;
    private final boolean isStateless;
    private final AtomicInteger ids = new AtomicInteger();
    private List<String> headers = List.of();
    private @Nullable String session;

    private McpPeer(String url, String token, String capabilities, boolean isStateless) {
        this.url = url;
        this.token = token;
        this.capabilities = Json.read(capabilities);
        this.isStateless = isStateless;
    }

    static McpPeer stateless(Caller server, String token, String capabilities) {
        return new McpPeer(server.coordinator().url(), token, capabilities, true);
    }

    /** A client that has begun a session. */
    static McpPeer withSession(Caller server, String token, String capabilities) {
        var peer = new McpPeer(server.coordinator().url(), token, capabilities, false);
        var params = Json.object().put("protocolVersion", "2025-11-25");
        params.set("capabilities", peer.capabilities);
        params.putObject("clientInfo").put("name", "peer").put("version", "1");
        var begun = peer.post("initialize", params);
        assertThat(begun.status()).as(begun.text()).isEqualTo(200);
        peer.session = begun.headers().firstValue("Mcp-Session-Id").orElseThrow();
        return peer;
    }

    String session() {
        return String.valueOf(session);
    }

    /** The same client with the session of another, or with none. */
    McpPeer with(@Nullable String other) {
        var peer = new McpPeer(url, token, capabilities.toString(), isStateless);
        peer.session = other;
        return peer;
    }

    /** The same client with further headers, given as names and values. */
    McpPeer adding(String... more) {
        var peer = with(session);
        peer.headers = List.of(more);
        return peer;
    }

    /** A whole answer; a stream is read to its end. */
    record Said(int status, String text, HttpHeaders headers) {
        /** The answer: the only message, or the last one of a stream. */
        JsonNode json() {
            if (text.startsWith("{")) return Json.read(text);
            return events().getLast();
        }

        List<JsonNode> events() {
            return text.lines()
                    .filter(line -> line.startsWith("data: "))
                    .map(line -> Json.read(line.substring(6)))
                    .toList();
        }

        JsonNode result() {
            assertThat(json().has("result")).as(text).isTrue();
            return json().get("result");
        }

        int error() {
            assertThat(json().has("error")).as(text).isTrue();
            return json().get("error").get("code").asInt();
        }
    }

    private HttpRequest.Builder request() {
        var request =
                HttpRequest.newBuilder(URI.create(url + "/mcp"))
                        .header("Accept", "application/json, text/event-stream")
                        .header("Content-Type", "application/json");
        if (!token.isEmpty()) request.header("Authorization", "Bearer " + token);
        if (session != null) request.header("Mcp-Session-Id", session);
        for (int i = 0; i < headers.size(); i += 2) {
            request.header(headers.get(i), headers.get(i + 1));
        }
        return request;
    }

    private HttpRequest.Builder request(String method, ObjectNode params) {
        var message =
                Json.object()
                        .put("jsonrpc", "2.0")
                        .put("id", ids.incrementAndGet())
                        .put("method", method);
        var request = request();
        if (isStateless) {
            var meta =
                    params.has("_meta")
                            ? (ObjectNode) params.get("_meta")
                            : params.putObject("_meta");
            meta.put(META + "protocolVersion", "2026-07-28");
            meta.set(META + "clientCapabilities", capabilities);
            request.header("MCP-Protocol-Version", "2026-07-28").header("Mcp-Method", method);
            for (var field : List.of("name", "uri", "taskId")) {
                if (params.has(field)) request.header("Mcp-Name", params.get(field).asString());
            }
        }
        message.set("params", params);
        return request.POST(HttpRequest.BodyPublishers.ofString(message.toString()));
    }

    Said post(String method, ObjectNode params) {
        return send(request(method, params));
    }

    Said post(String method, String params) {
        return post(method, (ObjectNode) Json.read(params));
    }

    /** Sends a notification or the answer to a question. */
    Said tell(String message) {
        return send(request().POST(HttpRequest.BodyPublishers.ofString(message)));
    }

    Said delete() {
        return send(request().DELETE());
    }

    private static Said send(HttpRequest.Builder request) {
        try {
            var answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Said(answer.statusCode(), answer.body(), answer.headers());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    JsonNode tool(String name, String arguments) {
        return post("tools/call", call(name, arguments)).result();
    }

    /** The arguments of a deletion with the digest of its plan, if there is a plan. */
    static String confirmed(Caller server, String arguments) {
        var planned =
                arguments.replace("agent_id", "session_id").replace("agent_name", "session_name");
        var plan = stateless(server, server.token(), "{}").tool("get_delete_plan", planned);
        return ((ObjectNode) Json.read(arguments))
                .put("confirm", plan.path("structuredContent").path("digest").asString())
                .toString();
    }

    static ObjectNode call(String name, String arguments) {
        var params = Json.object().put("name", name);
        params.set("arguments", Json.read(arguments));
        return params;
    }

    Streamed open(String method, ObjectNode params) {
        return new Streamed(request(method, params).build());
    }

    /** The stream of the session, or the rest of another one after an event. */
    Streamed listen(@Nullable String after) {
        var request = request().GET();
        if (after != null) request.header("Last-Event-ID", after);
        return new Streamed(request.build());
    }

    /** A stream, read as it comes until either side closes it. */
    static final class Streamed implements AutoCloseable {
        private static final JsonNode OVER = Json.read("\"over\"");
        private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
        private final List<String> ids = new ArrayList<>();
        private final InputStream body;
        private final int status;

        Streamed(HttpRequest request) {
            try {
                var answer = HTTP.send(request, HttpResponse.BodyHandlers.ofInputStream());
                this.status = answer.statusCode();
                this.body = answer.body();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
            Thread.ofVirtual().start(this::read);
        }

        private void read() {
            var frames = new SseFrame.Reader();
            try (var lines =
                    new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
                for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith("{")) messages.add(Json.read(line));
                    if (line.startsWith("id: ")) remember(line.substring(4));
                    var frame = frames.line(line);
                    frame.filter(f -> !f.data().isBlank())
                            .ifPresent(f -> messages.add(Json.read(f.data())));
                }
            } catch (IOException _) {
                // The test has closed the stream.
            }
            messages.add(OVER);
        }

        private synchronized void remember(String id) {
            ids.add(id);
        }

        int status() {
            return status;
        }

        /** True once an event with an id has come. */
        synchronized boolean isPrimed() {
            return !ids.isEmpty();
        }

        synchronized String lastId() {
            return ids.getLast();
        }

        /** The next message. */
        JsonNode next() {
            try {
                var next = messages.poll(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
                if (next == null) throw new AssertionError("no message came");
                if (OVER.equals(next)) throw new AssertionError("the stream is over");
                return next;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** The next message of this method. */
        JsonNode next(String method) {
            var next = next();
            while (!method.equals(Json.text(next, "method"))) next = next();
            return next;
        }

        /** The answer that ends the stream. */
        JsonNode answer() {
            var next = next();
            while (!next.has("result") && !next.has("error")) next = next();
            return next;
        }

        /** Waits until the other side has ended the stream. */
        void assertOver() {
            try {
                JsonNode next = messages.poll(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
                assertThat(next).isEqualTo(OVER);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            try {
                body.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
