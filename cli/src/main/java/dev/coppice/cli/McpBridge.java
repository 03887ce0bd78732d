package dev.coppice.cli;

import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Messenger;
import dev.coppice.client.Messenger.Message;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A bridge for programs that start their tools and talk to them in lines: forwards each message to
 * the coordinator, and prints every answer. Of the protocol it knows only what HTTP carries outside
 * of messages: headers, sessions, and that hanging up cancels.
 */
final class McpBridge {
    private static final String PATH = "/mcp";
    private static final String SESSION = "Mcp-Session-Id";
    private static final String META = "io.modelcontextprotocol/protocolVersion";
    private static final Map<String, String> NAMES =
            Map.of(
                    "tools/call", "name",
                    "prompts/get", "name",
                    "resources/read", "uri",
                    "tasks/get", "taskId",
                    "tasks/update", "taskId",
                    "tasks/cancel", "taskId");
    private static final int NOT_JSON = -32700;
    private static final int NO_ANSWER = -32000;

    private final Messenger client;
    private final PrintStream out;
    private final Map<JsonNode, Runnable> underWay = new ConcurrentHashMap<>();
    private final Set<JsonNode> subscriptions = ConcurrentHashMap.newKeySet();
    private volatile @Nullable String session;
    private volatile @Nullable Runnable ownStream;
    private volatile boolean isClosing;

    McpBridge(Messenger client, PrintStream out) {
        this.client = client;
        this.out = out;
    }

    /** An error that the bridge itself answers with. */
    private record Failure(String jsonrpc, @Nullable JsonNode id, Fault error) {}

    private record Fault(int code, String message) {}

    boolean mustGoFirst(String line) {
        return line.contains("\"initialize\"");
    }

    void pass(String line) {
        JsonNode message;
        try {
            message = Json.read(line);
        } catch (Json.Unreadable e) {
            failed(null, NOT_JSON, "not JSON: " + e.getMessage());
            return;
        }
        var id = message.get("id");
        var method = Json.text(message, "method");
        if ("notifications/cancelled".equals(method) && session == null) {
            hangUp(message.path("params").get("requestId"));
            return;
        }
        if (id == null || method == null) {
            send(message, null);
        } else {
            if (method.equals("subscriptions/listen")) subscriptions.add(id);
            send(message, id);
            subscriptions.remove(id);
            underWay.remove(id);
        }
        if ("initialize".equals(method) && session != null) listen();
    }

    /** In the stateless era, closing the connection of a request cancels it. */
    private void hangUp(@Nullable JsonNode id) {
        var connection = id == null ? null : underWay.remove(id);
        if (connection != null) connection.run();
    }

    private void send(JsonNode message, @Nullable JsonNode id) {
        var answered = new AtomicBoolean();
        var answers =
                new Messenger.Answers() {
                    @Override
                    public void began(Runnable hangUp) {
                        if (id == null) return;
                        underWay.put(id, hangUp);
                        if (isClosing && subscriptions.contains(id)) hangUp(id);
                    }

                    @Override
                    public void header(String name, String value) {
                        if (name.equalsIgnoreCase(SESSION)) session = value;
                    }

                    @Override
                    public void answer(JsonNode answer) {
                        boolean isLast = !answer.has("method");
                        if (id == null && isLast) return;
                        if (isLast) answered.set(true);
                        print(answer.has("jsonrpc") ? answer : problem(id, answer));
                    }
                };
        try {
            client.send(new Message("POST", PATH, headers(message), message), answers);
            boolean isWanted = id != null && underWay.containsKey(id);
            if (isWanted && !answered.get()) {
                failed(id, NO_ANSWER, "the answer of the coordinator broke off");
            }
        } catch (CoppiceClient.Unreachable e) {
            boolean isWanted = id != null && underWay.containsKey(id);
            if (isWanted) failed(id, NO_ANSWER, e.getMessage() + "; start one with './coppice up'");
        } catch (RuntimeException e) {
            if (id != null) failed(id, NO_ANSWER, "cannot pass the message on: " + e.getMessage());
        }
    }

    /** Prints what a session is told outside of its requests. */
    private void listen() {
        Thread.ofVirtual()
                .name("mcp-stream")
                .start(() -> {
                    var answers =
                            new Messenger.Answers() {
                                @Override
                                public void began(Runnable hangUp) {
                                    ownStream = hangUp;
                                }

                                @Override
                                public void answer(JsonNode answer) {
                                    if (answer.has("jsonrpc")) print(answer);
                                }
                            };
                    try {
                        client.send(new Message("GET", PATH, ofSession(), null), answers);
                    } catch (RuntimeException _) {
                        // The coordinator is gone or the session is over; requests will say so.
                    }
                });
    }

    private Map<String, String> ofSession() {
        var own = session;
        return own == null ? Map.of() : Map.of(SESSION, own);
    }

    /** Nothing more is asked: subscriptions, which never end by themselves, are not waited for. */
    void noMore() {
        isClosing = true;
        subscriptions.forEach(this::hangUp);
    }

    /** Ends the session, if there is one. */
    void end() {
        var own = ownStream;
        if (own != null) own.run();
        if (session == null) return;
        try {
            client.send(new Message("DELETE", PATH, ofSession(), null), _ -> {});
        } catch (RuntimeException _) {
            // A session that is not ended ends by itself.
        }
    }

    /** Derives the headers that the protocol requires; their values are part of the message. */
    private Map<String, String> headers(JsonNode message) {
        var headers = new LinkedHashMap<>(ofSession());
        var params = message.path("params");
        var version = Json.text(params.path("_meta"), META);
        var method = Json.text(message, "method");
        if (version == null || method == null) return headers;
        headers.put("MCP-Protocol-Version", version);
        headers.put("Mcp-Method", method);
        var field = NAMES.get(method);
        var name = field == null ? null : Json.text(params, field);
        if (name != null) headers.put("Mcp-Name", safe(name));
        return headers;
    }

    /** Encodes what a header cannot hold. */
    private static String safe(String value) {
        boolean isPlain =
                value.chars().allMatch(c -> c > ' ' && c < 127) && !value.startsWith("=?base64?");
        if (isPlain) return value;
        var bytes = value.getBytes(StandardCharsets.UTF_8);
        return "=?base64?%s?=".formatted(Base64.getEncoder().encodeToString(bytes));
    }

    /** A refusal that precedes the protocol, such as a missing token, is a plain problem. */
    private static Failure problem(@Nullable JsonNode id, JsonNode answer) {
        var reason = Json.text(answer, "error") + ". " + Json.text(answer, "advice");
        return new Failure("2.0", id, new Fault(NO_ANSWER, reason));
    }

    private void failed(@Nullable JsonNode id, int code, String message) {
        print(new Failure("2.0", id, new Fault(code, message)));
    }

    private void print(Object answer) {
        synchronized (out) {
            out.println(Json.write(answer));
            out.flush();
        }
    }
}
