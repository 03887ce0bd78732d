package dev.coppice.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server that says what a test wants, for answers that a real coordinator gives only after long
 * work, or never: the commands' own decisions about pages, streams, widths and exit codes. What the
 * coordinator answers is tested with a real one.
 */
final class ScriptedCoordinator implements AutoCloseable {
    private static final String STREAM = "event: ";
    private final HttpServer server;
    private final Map<String, Deque<Answer>> answers = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private String typed = "";

    ScriptedCoordinator() {
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
        environment.put("COPPICE_URL", "http://127.0.0.1:" + server.getAddress().getPort());
        environment.put("COPPICE_TOKEN", "t");
        environment.put("COPPICE_TERMINAL", "");
    }

    private record Answer(int status, String body) {}

    /** The output and the exit code of a command line. */
    record Said(Exit exit, String out, String err) {
        List<String> lines() {
            return out.lines().toList();
        }
    }

    /** Answers a request such as {@code GET /runs} with these in turn; the last one is repeated. */
    ScriptedCoordinator on(String request, String... bodies) {
        var turn = new ArrayDeque<>(Arrays.stream(bodies).map(b -> new Answer(200, b)).toList());
        answers.put(request, turn);
        return this;
    }

    ScriptedCoordinator refuse(String request, int status, String code, String error) {
        var body =
                """
                {"status":%d,"code":"%s","error":"%s","advice":"do as it says"}
                """
                        .formatted(status, code, error);
        return answer(request, status, body);
    }

    ScriptedCoordinator answer(String request, int status, String body) {
        answers.put(request, new ArrayDeque<>(List.of(new Answer(status, body))));
        return this;
    }

    /** A session of this name, whose id is {@code id-NAME}. */
    ScriptedCoordinator session(String name, String state) {
        return on("GET /sessions/by-name/" + name, "{\"session\":" + view(name, state) + "}");
    }

    static String view(String name, String state) {
        return """
        {"session_id":"id-%s","session_name":"%s","state":"%s","path":"%s",
         "created_at":"2026-11-23T12:00:00Z","started_at":"2026-11-23T12:00:00Z",
         "ended_at":"2026-11-23T12:01:30Z"}
        """
                .formatted(name, name, state, name);
    }

    /** Shows the output on a terminal of this width. */
    ScriptedCoordinator terminal(int columns) {
        environment.put("COPPICE_TERMINAL", "1");
        environment.put("COLUMNS", Integer.toString(columns));
        environment.put("LINES", "24");
        return this;
    }

    ScriptedCoordinator with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** The standard input of the commands. */
    ScriptedCoordinator typed(String text) {
        typed = text;
        return this;
    }

    /** The requests so far: method, path with query, and body. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    Said run(String... line) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var console =
                new Console(
                        Map.copyOf(environment),
                        new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        var exit = Main.run(List.of(line), console);
        return new Said(
                exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            var uri = exchange.getRequestURI();
            asked.add("%s %s %s".formatted(exchange.getRequestMethod(), uri, body).strip());
            var answer = next(exchange.getRequestMethod() + " " + uri.getPath());
            var bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            if (answer.body().contains(STREAM)) {
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            }
            exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private Answer next(String request) {
        @Nullable Deque<Answer> turn = answers.get(request);
        if (turn == null) {
            var body =
                    """
                    {"status":404,"code":"session_unknown","error":"no %s","advice":""}
                    """
                            .formatted(request);
            return new Answer(404, body);
        }
        synchronized (turn) {
            return turn.size() > 1 ? turn.removeFirst() : turn.getFirst();
        }
    }

    static Path file(Path directory, String name, String text) {
        try {
            return java.nio.file.Files.writeString(directory.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
