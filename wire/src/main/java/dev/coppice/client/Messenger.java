package dev.coppice.client;

import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Sends messages whose answers may be streams, and can close each of them at any time. It uses the
 * newer client of the JDK: the other one waits for the next byte before it closes.
 */
public final class Messenger implements AutoCloseable {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);

    private final URI base;
    private final Map<String, String> headers;
    private final HttpClient http;

    /** Sends messages of another protocol with the token of this client. */
    public Messenger(CoppiceClient client) {
        var builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT_MAX);
        this.http = client.trust().applyTo(builder).build();
        this.base = client.base();
        this.headers = Map.copyOf(client.requestHeaders());
    }

    /** A request: its method, path and further headers, and its message if any. */
    public record Message(
            String method, String path, Map<String, String> headers, @Nullable JsonNode body) {
        public Message {
            headers = Map.copyOf(headers);
        }
    }

    /** Receives the answer to a message, part by part as it arrives. */
    public interface Answers {
        /** The message was sent; {@code hangUp} ends the wait for its answer. */
        default void began(Runnable hangUp) {}

        default void status(int status) {}

        default void header(String name, String value) {}

        /** Receives the id of the next part, from which the stream can be resumed. */
        default void id(String id) {}

        void answer(JsonNode answer);
    }

    /** Sends a message, and passes every answer on, whether one body or a stream of events. */
    public void send(Message message, Answers answers) {
        var sent = http.sendAsync(request(message), HttpResponse.BodyHandlers.ofInputStream());
        answers.began(() -> hangUp(sent));
        try {
            var answer = sent.get();
            answers.status(answer.statusCode());
            answer.headers().map().forEach((name, all) -> answers.header(name, all.getFirst()));
            var type = answer.headers().firstValue("Content-Type").orElse("");
            try (var body = answer.body()) {
                if (type.startsWith("text/event-stream")) frames(body, answers);
                else whole(body, answers);
            }
        } catch (ExecutionException | IOException | CancellationException e) {
            var why = e instanceof ExecutionException ? e.getCause() : e;
            throw new CoppiceClient.Unreachable(
                    "no coordinator answers at %s: %s".formatted(base, why), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CoppiceClient.Unreachable("interrupted", e);
        }
    }

    private HttpRequest request(Message message) {
        var body = message.body();
        var request =
                HttpRequest.newBuilder(base.resolve(message.path()))
                        .method(
                                message.method(),
                                body == null
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofByteArray(Json.bytes(body)));
        headers.forEach(request::setHeader);
        request.setHeader("Accept", "application/json, text/event-stream");
        if (body != null) request.setHeader("Content-Type", "application/json");
        message.headers().forEach(request::setHeader);
        return request.build();
    }

    private static void hangUp(CompletableFuture<HttpResponse<InputStream>> sent) {
        if (sent.cancel(true)) return;
        try {
            if (sent.isDone() && !sent.isCompletedExceptionally()) sent.join().body().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void frames(InputStream body, Answers answers) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        var frames = new SseFrame.Reader();
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            var complete = frames.line(line);
            if (line.startsWith("id:")) answers.id(frames.id());
            complete.filter(frame -> !frame.data().isBlank())
                    .ifPresent(frame -> answers.answer(Json.read(frame.data())));
        }
    }

    private static void whole(InputStream body, Answers answers) throws IOException {
        var text = new String(body.readAllBytes(), StandardCharsets.UTF_8);
        if (!text.isBlank()) answers.answer(Json.read(text));
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
