package dev.coppice.programs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.coppice.wire.Json;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A model for real agent programs, which answers as the prompt says. A prompt has a line for each
 * thing to do: {@code !call TOOL {…}}, one call in each turn of the model; {@code !pause MS} before
 * what follows; {@code !stream N MS}, a long answer; {@code !fail STATUS KIND}, or {@code
 * !failafter} once the calls are made; {@code !spend IN OUT}, the tokens of each answer; and at
 * last {@code !say TEXT}. It speaks the Messages API of Anthropic, the Responses and Chat
 * Completions APIs of OpenAI, and the API of Gemini.
 */
final class ScriptedModel implements AutoCloseable {
    private static final AtomicLong MADE = new AtomicLong();

    private final HttpServer server;
    private final Queue<String> heard = new ConcurrentLinkedQueue<>();

    ScriptedModel() {
        try {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            this.server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The bodies of the requests so far. */
    List<String> heard() {
        return List.copyOf(heard);
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void answer(HttpExchange x) throws IOException {
        var body = new String(x.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        var path = x.getRequestURI().getPath();
        try (x) {
            if (path.endsWith("/count_tokens")) {
                send(x, 200, Map.of("input_tokens", body.length() / 4));
            } else if (path.endsWith("/messages")) {
                heard.add(body);
                x.getResponseHeaders().set("request-id", made("req_"));
                AnthropicModel.messages(x, Json.read(body));
            } else if (path.endsWith("/responses")) {
                heard.add(body);
                OpenAiModel.responses(x, Json.read(body));
            } else if (path.endsWith("/chat/completions")) {
                heard.add(body);
                OpenAiModel.chat(x, Json.read(body));
            } else if (path.contains("enerateContent")) {
                heard.add(body);
                GeminiModel.content(x, Json.read(body), path.contains("stream"));
            } else if (path.endsWith("/models")) {
                send(x, 200, Map.of("object", "list", "data", List.of(), "models", List.of()));
            } else {
                send(x, path.equals("/") ? 200 : 404, Map.of());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void send(HttpExchange x, int status, Object body) throws IOException {
        var bytes = Json.bytes(body);
        x.getResponseHeaders().set("Content-Type", "application/json");
        x.sendResponseHeaders(status, bytes.length);
        x.getResponseBody().write(bytes);
    }

    static OutputStream stream(HttpExchange x) throws IOException {
        x.getResponseHeaders().set("Content-Type", "text/event-stream");
        x.sendResponseHeaders(200, 0);
        return x.getResponseBody();
    }

    static void event(OutputStream out, String type, Map<String, ?> data) throws IOException {
        var fields = new LinkedHashMap<String, Object>(data);
        fields.put("type", type);
        var text = "event: %s\ndata: %s\n\n".formatted(type, Json.write(fields));
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** Sends one part of a stream without a name. */
    static void data(OutputStream out, String text) throws IOException {
        out.write("data: %s\r\n\r\n".formatted(text).getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    static String made(String prefix) {
        return prefix + MADE.incrementAndGet();
    }
}
