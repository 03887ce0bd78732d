package dev.coppice.cli;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.CoppiceClient;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A bridge for programs that start their tools and talk to them in lines: forwards each message to
 * the coordinator, and prints every answer. All it knows of the protocol is how to derive the
 * headers that the coordinator requires.
 */
final class Mcp implements Command {
    private static final String META = "io.modelcontextprotocol/protocolVersion";
    private static final int NOT_JSON = -32700;
    private static final int NO_ANSWER = -32000;

    @Override
    public String name() {
        return "mcp";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Serve the Model Context Protocol on standard input and output",
                List.of(),
                List.of(),
                """
                For programs that start their tools themselves, such as Claude Desktop; other
                programs use /mcp of the coordinator. The tools start, watch, stop and delete
                sessions, and undo a deletion. See docs/mcp.md.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var client = Connection.open(args, console).client();
        var lines = new BufferedReader(new InputStreamReader(console.in(), StandardCharsets.UTF_8));
        // A slow message delays no other; closing the executor waits for all answers.
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var line = lines.readLine();
            while (line != null) {
                var message = line;
                if (!line.isBlank()) threads.execute(() -> pass(message, client, console.out()));
                line = lines.readLine();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reading standard input", e);
        }
        return Exit.OK;
    }

    private static void pass(String line, CoppiceClient client, PrintStream out) {
        JsonNode message;
        try {
            message = Json.read(line);
        } catch (Json.Unreadable e) {
            print(out, error(null, NOT_JSON, "not JSON: " + e.getMessage()));
            return;
        }
        var id = message.get("id");
        var answered = new AtomicBoolean();
        try {
            client.send(
                    "/mcp",
                    message,
                    headers(message),
                    answer -> {
                        boolean isLast = !answer.has("method");
                        if (id == null && isLast) return;
                        if (isLast) answered.set(true);
                        print(out, asAnswer(message, answer));
                    });
            if (!answered.get()) failed(out, id, "the answer of the coordinator broke off");
        } catch (CoppiceClient.Unreachable e) {
            failed(out, id, e.getMessage() + "; start one with './coppice up'");
        } catch (RuntimeException e) {
            failed(out, id, "cannot pass the message on: " + e.getMessage());
        }
    }

    /** Answers a request with an error. A notification has no id and gets no answer. */
    private static void failed(PrintStream out, @Nullable JsonNode id, String what) {
        if (id != null) print(out, error(id, NO_ANSWER, what));
    }

    /** Only later protocol versions have headers; their values are part of the message. */
    private static Map<String, String> headers(JsonNode message) {
        var headers = new LinkedHashMap<String, String>();
        var params = message.path("params");
        var version = Json.text(params.path("_meta"), META);
        var method = Json.text(message, "method");
        if (version == null || method == null) return headers;
        headers.put("MCP-Protocol-Version", version);
        headers.put("Mcp-Method", method);
        var name = Json.text(params, "name");
        if (method.equals("tools/call") && name != null) headers.put("Mcp-Name", name);
        return headers;
    }

    /** Wraps a refusal that precedes MCP, such as a missing token, and is a plain problem. */
    private static JsonNode asAnswer(JsonNode message, JsonNode answer) {
        if (answer.has("jsonrpc")) return answer;
        var reason = Json.text(answer, "error") + ". " + Json.text(answer, "advice");
        return error(message.get("id"), NO_ANSWER, reason);
    }

    private static ObjectNode error(@Nullable JsonNode id, int code, String message) {
        var answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", id);
        answer.putObject("error").put("code", code).put("message", message);
        return answer;
    }

    private static void print(PrintStream out, JsonNode answer) {
        synchronized (out) {
            out.println(Json.write(answer));
            out.flush();
        }
    }
}
