package dev.coppice.http;

import dev.coppice.boot.Coordinator;
import dev.coppice.boot.Face;
import dev.coppice.boot.SettingsReader;
import dev.coppice.client.Answer;
import dev.coppice.client.RawClient;
import dev.coppice.scene.Temporary;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A real coordinator on a free port, with methods to call it. */
final class Caller implements AutoCloseable {
    private static final int ANSWER_MILLIS_MAX = 10_000;
    private final Path data;
    private final Coordinator coordinator;

    Caller() {
        this(Map.of());
    }

    Caller(Map<String, String> settings) {
        this(settings, List.of());
    }

    Caller(Map<String, String> settings, List<Face.Maker> others) {
        this.data = Temporary.directory("coppice-http");
        this.coordinator = begin(data, settings, others);
    }

    private static Coordinator begin(
            Path data, Map<String, String> settings, List<Face.Maker> others) {
        var environment = new HashMap<String, String>(settings);
        environment.put("COPPICE_DATA", data.toString());
        environment.put("COPPICE_PORT", "0");
        return Coordinator.start(new SettingsReader(environment).read(), others);
    }

    Coordinator coordinator() {
        return coordinator;
    }

    Path directory() {
        return data;
    }

    /** Opens the database directly, past the coordinator. */
    Connection database() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + data.resolve("coppice.db"));
    }

    /** The first value that a query of the database finds. */
    @Nullable String stored(String sql) {
        try (var connection = database();
                var statement = connection.createStatement();
                var found = statement.executeQuery(sql)) {
            return found.next() ? found.getString(1) : null;
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    String token() {
        try {
            return Files.readString(data.resolve("token")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RawClient as(dev.coppice.access.Caller who) {
        return new RawClient(URI.create(coordinator.url()), coordinator.token(who));
    }

    RawClient client() {
        return new RawClient(URI.create(coordinator.url()), token());
    }

    JsonNode get(String path) {
        return good(client().get(path));
    }

    JsonNode post(String path, String json) {
        return good(client().post(path, Json.read(json)));
    }

    Answer<JsonNode> refused(String path, String json) {
        var answer = client().post(path, Json.read(json));
        if (answer.isGood()) throw new AssertionError("not refused: " + answer.body());
        return answer;
    }

    private static JsonNode good(Answer<JsonNode> answer) {
        if (!answer.isGood()) throw new AssertionError(answer.status() + " " + answer.body());
        return answer.body();
    }

    /** Sends any request byte by byte, also one that a correct client cannot send. */
    Raw raw(String method, String path, String body, String... headers) {
        try (var socket = hungUp(method, path, body, headers)) {
            var text = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int end = text.indexOf("\r\n\r\n");
            return new Raw(Integer.parseInt(text.substring(9, 12)), text.substring(end + 4));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a request and does not read the answer; closing the socket hangs up. */
    Socket hungUp(String method, String path, String body, String... headers) throws IOException {
        var host = URI.create(coordinator.url()).getAuthority();
        var head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nConnection: close\r\n");
        if (Stream.of(headers).noneMatch(h -> h.startsWith("Host:"))) {
            head.append("Host: ").append(host).append("\r\n");
        }
        for (var header : headers) head.append(header).append("\r\n");
        head.append("Content-Length: ").append(body.length()).append("\r\n\r\n").append(body);
        var socket = new Socket();
        // With a small buffer, little of an unread answer leaves the server.
        socket.setReceiveBufferSize(16 * 1024);
        socket.connect(
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), URI.create(coordinator.url()).getPort()));
        socket.setSoTimeout(ANSWER_MILLIS_MAX);
        socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
        return socket;
    }

    /** An answer as it came, for clients that read headers or no JSON. */
    record Sent(int status, String body, HttpHeaders headers) {
        JsonNode json() {
            return body.isEmpty() ? Json.object() : Json.read(body);
        }

        @Nullable String header(String name) {
            return headers.firstValue(name).orElse(null);
        }
    }

    /** Sends a request as a foreign client does, with these headers only. */
    Sent send(String method, String path, String body, Map<String, String> headers) {
        var request =
                HttpRequest.newBuilder(URI.create(coordinator.url() + path))
                        .method(method, HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        try (var http = HttpClient.newHttpClient()) {
            var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Sent(answer.statusCode(), answer.body(), answer.headers());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    String bearer() {
        return "Authorization: Bearer " + token();
    }

    record Raw(int status, String body) {}

    static @Nullable String text(JsonNode node, String field) {
        return Json.text(node, field);
    }

    /** Asserts that fsck finds nothing; does not wait for runners. */
    void assertNothingIsLeft() {
        var checked = get("/fsck?wait=0s");
        if (!checked.get("ok").asBoolean()) throw new AssertionError(checked);
    }

    @Override
    public void close() {
        try (coordinator) {
            assertNothingIsLeft();
        }
    }
}
