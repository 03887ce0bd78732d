package dev.coppice.client;

import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Talks to a coordinator. Built on HttpURLConnection because a command must answer at once: the
 * newer client costs it tens of milliseconds more at start-up (measured, see docs/decisions/0006).
 */
public final class CoppiceClient {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(75);
    private static final Duration ABSENCE_MAX = Duration.ofMinutes(5);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(250);
    private static final Duration SILENCE_MAX = Duration.ofSeconds(60);

    static {
        // The JDK would silently send a POST again on a broken connection; once is once.
        System.setProperty("sun.net.http.retryPost", "false");
    }

    private final URI base;
    private final String token;

    public CoppiceClient(URI base, String token) {
        this.base = base;
        this.token = token;
    }

    /** What the coordinator said. */
    public record Answer(int status, JsonNode body) {
        public boolean isGood() {
            return status < 300;
        }

        /** The sentence that says what went wrong. */
        public String error() {
            var error = Json.text(body, "error");
            return error != null ? error : "the coordinator answered " + status;
        }

        /** Whether it refused for this reason. */
        public boolean says(String code) {
            return code.equals(Json.text(body, "code"));
        }

        public @Nullable String advice() {
            return Json.text(body, "advice");
        }
    }

    /** Nobody answers at the address, or what answers is not a coordinator. */
    public static final class Unreachable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unreachable(String message, Throwable cause) {
            super(message, cause);
        }
    }

    public URI base() {
        return base;
    }

    public Answer get(String path) {
        return call("GET", path, null, Map.of());
    }

    /** Asks again while nobody answers: a coordinator that restarts is soon back, waits and all. */
    public Answer getPatiently(String path) {
        long until = System.nanoTime() + ABSENCE_MAX.toNanos();
        while (true) {
            try {
                return get(path);
            } catch (Unreachable e) {
                if (System.nanoTime() > until) throw e;
                LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
            }
        }
    }

    public Answer post(String path, Object body) {
        return call("POST", path, body, Map.of());
    }

    /** The same, for someone who cannot wait long for the answer. */
    public Answer post(String path, Object body, Duration silence) {
        return call("POST", path, body, Map.of(), silence);
    }

    public Answer delete(String path) {
        return call("DELETE", path, null, Map.of());
    }

    public Answer call(
            String method, String path, @Nullable Object body, Map<String, String> headers) {
        return call(method, path, body, headers, ANSWER_MAX);
    }

    private Answer call(
            String method,
            String path,
            @Nullable Object body,
            Map<String, String> headers,
            Duration silence) {
        try {
            var connection = open(path, silence);
            headers.forEach(connection::setRequestProperty);
            write(connection, method, body);
            return answer(connection);
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    /** Sends a message, and hears everything it is answered with, at once or one by one. */
    public void send(
            String path, JsonNode message, Map<String, String> headers, Consumer<JsonNode> hearer) {
        try {
            var connection = open(path, SILENCE_MAX);
            connection.setRequestProperty("Accept", "application/json, text/event-stream");
            headers.forEach(connection::setRequestProperty);
            write(connection, "POST", message);
            var type = connection.getContentType();
            if (type != null && type.startsWith("text/event-stream")) {
                frames(
                        connection,
                        frame -> {
                            hearer.accept(Json.read(frame.data()));
                            return true;
                        });
                return;
            }
            var answer = answer(connection);
            if (!answer.body().isEmpty()) hearer.accept(answer.body());
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private static void write(HttpURLConnection connection, String method, @Nullable Object body)
            throws IOException {
        connection.setRequestMethod(method);
        if (body == null) return;
        var bytes = Json.bytes(body);
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        try (var out = connection.getOutputStream()) {
            out.write(bytes);
        }
    }

    private Unreachable unreachable(IOException e) {
        return new Unreachable("no coordinator answers at " + base + ": " + e.getMessage(), e);
    }

    /** Fetches a file; nothing, or the reason why not. */
    public @Nullable Answer download(String path, OutputStream into) {
        try {
            var connection = open(path, SILENCE_MAX);
            if (connection.getResponseCode() >= 300) return answer(connection);
            try (var in = connection.getInputStream()) {
                in.transferTo(into);
            }
            return null;
        } catch (IOException e) {
            throw new Unreachable("the file broke off: " + e.getMessage(), e);
        }
    }

    /** Reads an event stream until it ends or the reader has enough. */
    public void follow(String path, Predicate<SseFrame> goOn) {
        try {
            var connection = open(path, SILENCE_MAX);
            connection.setRequestProperty("Accept", "text/event-stream");
            if (connection.getResponseCode() != 200) {
                throw new IllegalStateException(answer(connection).error());
            }
            frames(connection, goOn);
        } catch (IOException e) {
            throw new Unreachable("the event stream broke off: " + e.getMessage(), e);
        }
    }

    private static void frames(HttpURLConnection connection, Predicate<SseFrame> goOn)
            throws IOException {
        try (var lines =
                new BufferedReader(
                        new InputStreamReader(
                                connection.getInputStream(), StandardCharsets.UTF_8))) {
            var frames = new SseFrame.Reader();
            String line = lines.readLine();
            while (line != null) {
                var frame = frames.line(line);
                if (frame.isPresent() && !goOn.test(frame.get())) return;
                line = lines.readLine();
            }
        }
    }

    private HttpURLConnection open(String path, Duration silence) throws IOException {
        var connection = (HttpURLConnection) base.resolve(path).toURL().openConnection();
        connection.setConnectTimeout((int) CONNECT_MAX.toMillis());
        connection.setReadTimeout((int) silence.toMillis());
        connection.setRequestProperty("Authorization", "Bearer " + token);
        return connection;
    }

    private static Answer answer(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        try (InputStream in =
                status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            var bytes = in == null ? new byte[0] : in.readAllBytes();
            return new Answer(status, bytes.length == 0 ? Json.object() : Json.read(bytes));
        } catch (Json.Unreadable e) {
            throw new IOException("it answered " + status + " with something that is not JSON", e);
        }
    }
}
