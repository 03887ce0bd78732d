package dev.coppice.browser;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The DevTools protocol of a browser: commands with their answers, and events of its pages. */
final class DevTools implements WebSocket.Listener, AutoCloseable {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(2);

    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
    private final Map<String, Consumer<JsonNode>> readers = new ConcurrentHashMap<>();
    private final StringBuilder text = new StringBuilder();
    private final HttpClient http = HttpClient.newHttpClient();
    private final WebSocket socket;
    private CompletableFuture<?> sent = CompletableFuture.completedFuture(null);

    DevTools(URI address) {
        socket = http.newWebSocketBuilder().buildAsync(address, this).join();
    }

    /** Calls a function with every event of a page. */
    void read(String session, Consumer<JsonNode> reader) {
        readers.put(session, reader);
    }

    JsonNode call(@Nullable String session, String method, Map<String, ?> parameters) {
        int id = ids.incrementAndGet();
        var message = new LinkedHashMap<String, Object>();
        message.put("id", id);
        message.put("method", method);
        message.put("params", parameters);
        if (session != null) message.put("sessionId", session);
        var answer = new CompletableFuture<JsonNode>();
        open.put(id, answer);
        send(Json.write(message));
        var said = answer.orTimeout(ANSWER_MAX.toSeconds(), TimeUnit.SECONDS).join();
        if (said.has("error")) throw new AssertionError(method + ": " + said.get("error"));
        return said.path("result");
    }

    /** A socket takes one message at a time. */
    private synchronized void send(String message) {
        sent = sent.thenCompose(_ -> socket.sendText(message, true));
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        text.append(part);
        if (last) {
            var message = Json.read(text.toString());
            text.setLength(0);
            take(message);
        }
        from.request(1);
        return null;
    }

    private void take(JsonNode message) {
        if (message.has("id")) {
            var answer = open.remove(message.get("id").asInt());
            if (answer != null) answer.complete(message);
            return;
        }
        var session = Json.text(message, "sessionId");
        var reader = session == null ? null : readers.get(session);
        if (reader != null) reader.accept(message);
    }

    @Override
    public void close() {
        socket.abort();
        http.close();
    }
}
