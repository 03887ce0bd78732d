package dev.coppice.programs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.coppice.client.Pause;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * A model for real agent programs, which answers as the prompt says. A prompt has a line for each
 * thing to do: {@code !call TOOL {…}}, one call in each turn of the model; {@code !pause MS} before
 * what follows; {@code !stream N MS}, a long answer; {@code !fail STATUS KIND}, or {@code
 * !failafter} once the calls are made; {@code !spend IN OUT}, the tokens of each answer; and at
 * last {@code !say TEXT}. It speaks the Messages API of Anthropic and the Responses API of OpenAI.
 */
final class ScriptedModel implements AutoCloseable {
    private static final Pattern DIGEST = Pattern.compile("confirm '(\\w+)'");
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
                x.getResponseHeaders().set("request-id", "req_" + MADE.incrementAndGet());
                messages(x, Json.read(body));
            } else if (path.endsWith("/responses")) {
                heard.add(body);
                responses(x, Json.read(body));
            } else if (path.endsWith("/models")) {
                send(x, 200, Map.of("object", "list", "data", List.of(), "models", List.of()));
            } else {
                send(x, path.equals("/") ? 200 : 404, Map.of());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void send(HttpExchange x, int status, Object body) throws IOException {
        var bytes = Json.bytes(body);
        x.getResponseHeaders().set("Content-Type", "application/json");
        x.sendResponseHeaders(status, bytes.length);
        x.getResponseBody().write(bytes);
    }

    /** The script of a conversation, and how many of its calls were made. */
    private record Script(List<String> lines, String first, int done, boolean isNewest) {
        @Nullable String call() {
            var calls = lines.stream().filter(line -> line.startsWith("!call ")).toList();
            return done < calls.size() ? calls.get(done) : null;
        }

        /** Puts the digest that a tool has answered with last in the place of {@code $confirm}. */
        Script filled(String body) {
            var digest = DIGEST.matcher(body).results().map(m -> m.group(1)).reduce((_, b) -> b);
            var filled =
                    lines.stream().map(l -> l.replace("$confirm", digest.orElse("none"))).toList();
            return new Script(filled, first, done, isNewest);
        }

        /** The rest of the last line with this word; null if there is none. */
        @Nullable String value(String word) {
            return lines.stream()
                    .filter(line -> line.startsWith("!" + word + " "))
                    .map(line -> line.substring(word.length() + 2))
                    .reduce((_, last) -> last)
                    .orElse(null);
        }

        /** The status and kind of a failure, which may come only after the calls. */
        @Nullable String failure() {
            var later = call() == null ? value("failafter") : null;
            return later == null ? value("fail") : later;
        }

        /** A script that was interrupted for another prompt spends no more. */
        long spend(int at, long fallback) {
            return isNewest ? number("spend", at, fallback) : fallback;
        }

        long number(String word, int at, long fallback) {
            var value = value(word);
            return value == null ? fallback : Long.parseLong(value.split(" ", -1)[at]);
        }

        String say() {
            var say = value("say");
            return say == null ? "heard: " + first : say;
        }

        /** Waits as the pauses before the next call, or before the end, say. */
        void pause() throws InterruptedException {
            int calls = 0;
            for (var line : lines) {
                if (line.startsWith("!call ")) calls++;
                if (line.startsWith("!pause ") && calls == done) {
                    Pause.of(Duration.ofMillis(Long.parseLong(line.substring(7).strip())));
                }
            }
        }
    }

    /** {@code said} has what was said, in order: a text of the user, or null for calls. */
    private static Script script(List<@Nullable String> said) {
        var lines = List.<String>of();
        var first = "";
        boolean isNewest = true;
        int done = 0;
        for (var text : said) {
            if (text == null) {
                done++;
                continue;
            }
            if (text.startsWith("<")) continue;
            first = text.lines().findFirst().orElse("");
            var script = text.lines().map(String::strip).filter(l -> l.startsWith("!")).toList();
            isNewest = !script.isEmpty();
            if (!isNewest) continue;
            lines = script;
            done = 0;
        }
        return new Script(lines, first, done, isNewest);
    }

    private static void texts(JsonNode content, List<@Nullable String> into) {
        if (content.isString()) into.add(content.asString());
        for (var block : content) {
            if (block.hasNonNull("text")) into.add(block.get("text").asString());
            // An agent of Codex gets its task so, although only a remote model would encrypt it.
            var task = Json.text(block, "encrypted_content");
            if (task != null) into.add(task);
        }
    }

    // ---- Anthropic

    private static void messages(HttpExchange x, JsonNode body)
            throws IOException, InterruptedException {
        var said = new ArrayList<@Nullable String>();
        for (var message : body.path("messages")) {
            if ("user".equals(Json.text(message, "role"))) texts(message.path("content"), said);
            else if (message.toString().contains("\"tool_use\"")) said.add(null);
        }
        var script = script(said).filled(body.toString());
        var failure = script.failure();
        if (failure != null) {
            var error = Map.of("type", failure.split(" ", -1)[1], "message", "as scripted");
            send(
                    x,
                    Integer.parseInt(failure.split(" ", -1)[0]),
                    Map.of("type", "error", "error", error));
            return;
        }
        // A request without tools is for something else, such as a title.
        var call = body.path("tools").isEmpty() ? null : script.call();
        script.pause();
        var usage =
                Map.of(
                        "input_tokens", script.spend(0, 100),
                        "output_tokens", 1,
                        "cache_creation_input_tokens", 0,
                        "cache_read_input_tokens", 0);
        var message = new LinkedHashMap<String, Object>();
        message.put("id", "msg_" + MADE.incrementAndGet());
        message.put("type", "message");
        message.put("role", "assistant");
        message.put("model", String.valueOf(Json.text(body, "model")));
        message.put("content", List.of());
        message.put("stop_reason", null);
        message.put("usage", usage);
        var stop = call == null ? "end_turn" : "tool_use";
        long written = script.spend(1, 20);
        if (!body.path("stream").asBoolean(false)) {
            message.put("content", List.of(block(call, script)));
            message.put("stop_reason", stop);
            send(x, 200, message);
            return;
        }
        try (var out = stream(x)) {
            event(out, "message_start", Map.of("message", message));
            block(out, call, script);
            event(out, "content_block_stop", Map.of("index", 0));
            event(
                    out,
                    "message_delta",
                    Map.of(
                            "delta", Map.of("stop_reason", stop),
                            "usage", Map.of("output_tokens", written)));
            event(out, "message_stop", Map.of());
        }
    }

    private static Map<String, Object> block(@Nullable String call, Script script) {
        if (call == null) return Map.of("type", "text", "text", script.say());
        return Map.of(
                "type",
                "tool_use",
                "id",
                "toolu_" + MADE.incrementAndGet(),
                "name",
                call.split(" ", -1)[1],
                "input",
                Json.read(arguments(call)));
    }

    private static String arguments(String call) {
        int brace = call.indexOf('{');
        return brace < 0 ? "{}" : call.substring(brace);
    }

    private static void block(OutputStream out, @Nullable String call, Script script)
            throws IOException, InterruptedException {
        var block = new LinkedHashMap<>(block(call, script));
        if (call == null) {
            block.put("text", "");
            event(out, "content_block_start", Map.of("index", 0, "content_block", block));
            for (var part : parts(script)) {
                var delta = Map.of("type", "text_delta", "text", part);
                event(out, "content_block_delta", Map.of("index", 0, "delta", delta));
            }
            return;
        }
        block.put("input", Map.of());
        event(out, "content_block_start", Map.of("index", 0, "content_block", block));
        var delta = Map.of("type", "input_json_delta", "partial_json", arguments(call));
        event(out, "content_block_delta", Map.of("index", 0, "delta", delta));
    }

    /** The parts of an answer, which come slowly if the script says so. */
    private static Iterable<String> parts(Script script) {
        long n = script.number("stream", 0, 0);
        if (n == 0) return List.of(script.say());
        long millis = script.number("stream", 1, 10);
        return () ->
                java.util.stream.LongStream.range(0, n)
                        .mapToObj(i -> {
                            try {
                                Pause.of(Duration.ofMillis(millis));
                                return i + " ";
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        })
                        .iterator();
    }

    private static OutputStream stream(HttpExchange x) throws IOException {
        x.getResponseHeaders().set("Content-Type", "text/event-stream");
        x.sendResponseHeaders(200, 0);
        return x.getResponseBody();
    }

    private static void event(OutputStream out, String type, Map<String, ?> data)
            throws IOException {
        var fields = new LinkedHashMap<String, Object>(data);
        fields.put("type", type);
        var text = "event: %s\ndata: %s\n\n".formatted(type, Json.write(fields));
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    // ---- OpenAI

    private static void responses(HttpExchange x, JsonNode body)
            throws IOException, InterruptedException {
        var said = new ArrayList<@Nullable String>();
        for (var item : body.path("input")) {
            var type = String.valueOf(Json.text(item, "type"));
            boolean isPrompt =
                    "user".equals(Json.text(item, "role")) || type.equals("agent_message");
            if (type.endsWith("_call")) said.add(null);
            else if (isPrompt) texts(item.path("content"), said);
        }
        var script = script(said).filled(body.toString());
        var failure = script.failure();
        if (failure != null) {
            var error = Map.of("type", failure.split(" ", -1)[1], "message", "as scripted");
            send(x, Integer.parseInt(failure.split(" ", -1)[0]), Map.of("error", error));
            return;
        }
        var call = script.call();
        script.pause();
        long read = script.spend(0, 100);
        long written = script.spend(1, 20);
        var usage =
                Map.of(
                        "input_tokens",
                        read,
                        "input_tokens_details",
                        Map.of("cached_tokens", 0),
                        "output_tokens",
                        written,
                        "output_tokens_details",
                        Map.of("reasoning_tokens", 0),
                        "total_tokens",
                        read + written);
        var response = new LinkedHashMap<String, Object>();
        response.put("id", "resp_" + MADE.incrementAndGet());
        response.put("object", "response");
        response.put("status", "in_progress");
        response.put("model", String.valueOf(Json.text(body, "model")));
        response.put("output", List.of());
        try (var out = stream(x)) {
            event(out, "response.created", Map.of("response", response));
            var item = item(call, script);
            if (call == null) written(out, item, script);
            event(out, "response.output_item.done", Map.of("output_index", 0, "item", item));
            response.put("status", "completed");
            response.put("output", List.of(item));
            response.put("usage", usage);
            event(out, "response.completed", Map.of("response", response));
        }
    }

    private static Map<String, Object> item(@Nullable String call, Script script) {
        if (call == null) {
            return Map.of(
                    "type", "message",
                    "id", "msg_" + MADE.incrementAndGet(),
                    "role", "assistant",
                    "status", "completed",
                    "content",
                            List.of(
                                    Map.of(
                                            "type", "output_text",
                                            "text", script.say(),
                                            "annotations", List.of())));
        }
        var name = call.split(" ", -1)[1];
        var item = new LinkedHashMap<String, Object>();
        if (name.equals("tool_search")) {
            item.put("type", "tool_search_call");
            item.put("id", "tsc_" + MADE.incrementAndGet());
            item.put("call_id", "call_" + MADE.incrementAndGet());
            item.put("execution", "client");
            item.put("arguments", Json.read(arguments(call)));
            item.put("status", "completed");
            return item;
        }
        item.put("type", "function_call");
        item.put("id", "fc_" + MADE.incrementAndGet());
        item.put("call_id", "call_" + MADE.incrementAndGet());
        int space = name.indexOf("::");
        if (space > 0) item.put("namespace", name.substring(0, space));
        item.put("name", space > 0 ? name.substring(space + 2) : name);
        item.put("arguments", arguments(call));
        item.put("status", "completed");
        return item;
    }

    private static void written(OutputStream out, Map<String, Object> item, Script script)
            throws IOException {
        event(out, "response.output_item.added", Map.of("output_index", 0, "item", item));
        for (var part : parts(script)) {
            event(
                    out,
                    "response.output_text.delta",
                    Map.of(
                            "item_id",
                            String.valueOf(item.get("id")),
                            "output_index",
                            0,
                            "content_index",
                            0,
                            "delta",
                            part));
        }
    }
}
