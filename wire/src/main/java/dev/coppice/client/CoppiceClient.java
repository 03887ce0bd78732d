package dev.coppice.client;

import dev.coppice.wire.Call;
import dev.coppice.wire.Json;
import dev.coppice.wire.Problem;
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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * A client of a coordinator. It uses HttpURLConnection because commands have to start fast: the
 * newer client adds tens of milliseconds to their start-up (measured, see docs/decisions/0006).
 */
public final class CoppiceClient {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(75);
    private static final Duration ABSENCE_MAX = Duration.ofMinutes(5);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(250);

    static {
        // The JDK would silently resend a POST on a broken connection; send it at most once.
        System.setProperty("sun.net.http.retryPost", "false");
        // The JDK keeps five connections, too few for a runner that reports for many agents.
        System.setProperty("http.maxConnections", "128");
    }

    private final URI base;
    private final String token;
    private final Trust trust;
    private final Map<String, String> headers;
    private final Duration silence;

    public CoppiceClient(URI base, String token) {
        this(base, token, Trust.OF_MACHINE, Map.of(), ANSWER_MAX);
    }

    private CoppiceClient(
            URI base, String token, Trust trust, Map<String, String> headers, Duration silence) {
        this.base = base;
        this.token = token;
        this.trust = trust;
        this.headers = Map.copyOf(headers);
        this.silence = silence;
    }

    /** A copy of this client that sends these headers with every request. */
    public CoppiceClient with(Map<String, String> others) {
        return new CoppiceClient(base, token, trust, others, silence);
    }

    /** A copy of this client that accepts these certificates. */
    public CoppiceClient trusting(Trust other) {
        return new CoppiceClient(base, token, other, headers, silence);
    }

    /** A copy of this client that waits this long for data of an answer. */
    public CoppiceClient patient(Duration length) {
        return new CoppiceClient(base, token, trust, headers, length);
    }

    /** No coordinator answers at the address. */
    public static final class Unreachable extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unreachable(String message, Throwable cause) {
            super(message, cause);
        }
    }

    public URI base() {
        return base;
    }

    public <I extends Record, O> Answer<O> call(Call<I, O> call, I input) {
        try {
            var request = Request.of(call, input);
            return send(request.method(), request.path(), request.body(), call.output());
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    /** Makes a call, and retries it while no coordinator answers, since it may be restarting. */
    public <I extends Record, O> Answer<O> callPatiently(Call<I, O> call, I input) {
        long until = System.nanoTime() + ABSENCE_MAX.toNanos();
        while (true) {
            try {
                return call(call, input);
            } catch (Unreachable e) {
                if (System.nanoTime() > until) throw e;
                LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
            }
        }
    }

    void follow(String path, Predicate<SseFrame> goOn) {
        try {
            var connection = open(path);
            connection.setRequestProperty("Accept", "text/event-stream, " + Problem.MEDIA_TYPE);
            if (connection.getResponseCode() != 200) {
                throw new Refused(answer(connection, JsonNode.class).problem());
            }
            frames(connection, goOn);
        } catch (IOException e) {
            throw new Unreachable("the event stream broke off: " + e.getMessage(), e);
        }
    }

    @Nullable Answer<JsonNode> download(String path, OutputStream into) {
        try {
            var connection = open(path);
            if (connection.getResponseCode() >= 300) return answer(connection, JsonNode.class);
            try (var in = connection.getInputStream()) {
                in.transferTo(into);
            }
            return null;
        } catch (IOException e) {
            throw new Unreachable("the download broke off: " + e.getMessage(), e);
        }
    }

    /** Sends a request that no call describes. */
    Answer<JsonNode> raw(String method, String path, @Nullable Object body) {
        try {
            return send(method, path, body, JsonNode.class);
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private <O> Answer<O> send(String method, String path, @Nullable Object body, Class<O> type)
            throws IOException {
        if (method.equals("PATCH")) {
            var uri = base.resolve(path);
            var answer = Patch.send(trust, uri, requestHeaders(), body, silence);
            return answer(answer.statusCode(), answer.body(), type);
        }
        var connection = open(path);
        write(connection, method, body);
        return answer(connection, type);
    }

    public Trust trust() {
        return trust;
    }

    Map<String, String> requestHeaders() {
        var all = new LinkedHashMap<String, String>();
        all.put("Authorization", "Bearer " + token);
        all.put("Accept", "application/json, " + Problem.MEDIA_TYPE);
        all.putAll(headers);
        return all;
    }

    private static void write(HttpURLConnection connection, String method, @Nullable Object body)
            throws IOException {
        connection.setRequestMethod(method);
        if (body == null) return;
        var plain = body instanceof JsonNode node ? PlainWriting.of(node) : null;
        var bytes = plain == null ? Json.bytes(body) : plain.getBytes(StandardCharsets.UTF_8);
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        try (var out = connection.getOutputStream()) {
            out.write(bytes);
        }
    }

    private Unreachable unreachable(IOException e) {
        return new Unreachable("no coordinator answers at " + base + ": " + e.getMessage(), e);
    }

    /** Downloads a file; throws {@link Refused} if the coordinator refuses it. */
    public <I extends Record> void download(Call<I, Call.Bytes> call, I input, OutputStream into) {
        var refused = download(Request.of(call, input).path(), into);
        if (refused != null) throw new Refused(refused.problem());
    }

    /** Reads an event stream until it ends or the predicate returns false. */
    public <I extends Record> void follow(
            Call<I, Call.Stream> call, I input, Predicate<SseFrame> goOn) {
        follow(Request.of(call, input).path(), goOn);
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

    private HttpURLConnection open(String path) throws IOException {
        var connection = (HttpURLConnection) base.resolve(path).toURL().openConnection();
        trust.applyTo(connection);
        connection.setConnectTimeout((int) CONNECT_MAX.toMillis());
        connection.setReadTimeout((int) silence.toMillis());
        requestHeaders().forEach(connection::setRequestProperty);
        return connection;
    }

    private static <O> Answer<O> answer(HttpURLConnection connection, Class<O> type)
            throws IOException {
        int status = connection.getResponseCode();
        try (InputStream in =
                status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return answer(status, in == null ? new byte[0] : in.readAllBytes(), type);
        }
    }

    private static <O> Answer<O> answer(int status, byte[] text, Class<O> type) throws IOException {
        try {
            return Answer.of(status, text, type);
        } catch (Json.Unreadable e) {
            throw new IOException("the answer with status " + status + " is not JSON", e);
        }
    }
}
