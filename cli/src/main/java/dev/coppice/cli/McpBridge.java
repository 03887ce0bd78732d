package dev.coppice.cli;

import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Messenger;
import dev.coppice.client.Messenger.Message;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Json;
import dev.coppice.wire.McpHeaders;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A bridge for programs that speak to a server over its standard input and output. It forwards each
 * message to the coordinator, and prints every answer. It knows only the part of the protocol that
 * HTTP carries outside of messages: headers, sessions and their renewal, and cancelling by closing
 * the connection.
 */
final class McpBridge {
    private static final String PATH = "/mcp";
    private static final String META = "io.modelcontextprotocol/protocolVersion";
    private static final String INITIALIZE = "initialize";
    private static final int NOT_JSON = -32700;
    private static final int NO_ANSWER = -32000;
    private static final int GONE = 404;
    private static final int RESUMES_MAX = 5;

    private final Messenger client;
    private final PrintStream out;
    private final Map<JsonNode, Runnable> underWay = new ConcurrentHashMap<>();
    private final Set<JsonNode> subscriptions = ConcurrentHashMap.newKeySet();
    private final Set<JsonNode> questions = ConcurrentHashMap.newKeySet();
    private volatile @Nullable JsonNode beginning;
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
        var method = Json.textIfAny(message, "method");
        if ("notifications/cancelled".equals(method)) {
            var cancelled = message.path("params").get("requestId");
            if (session == null) hangUp(cancelled);
            else if (cancelled != null) underWay.remove(cancelled);
            if (session == null) return;
        }
        if (method == null && id != null) questions.remove(id);
        if (id == null || method == null) {
            new Exchange(message, null).run();
        } else if (INITIALIZE.equals(method)) {
            begin(message, id);
        } else {
            if (method.equals("subscriptions/listen")) subscriptions.add(id);
            new Exchange(message, id).run();
            subscriptions.remove(id);
            underWay.remove(id);
        }
    }

    private void begin(JsonNode message, JsonNode id) {
        session = null;
        beginning = message;
        new Exchange(message, id).run();
        underWay.remove(id);
        if (session != null) listen();
    }

    /** Begins a new session after the coordinator forgot the old one; false if that fails. */
    private synchronized boolean beginAgain(@Nullable String forgotten) {
        var first = beginning;
        if (first == null) return false;
        if (session != null && !session.equals(forgotten)) return true;
        session = null;
        var again = new Exchange(first, null);
        again.run();
        if (session == null) return false;
        var ready = Json.read("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        new Exchange(ready, null).run();
        listen();
        return true;
    }

    /** In the stateless era, closing the connection of a request cancels it. */
    private void hangUp(@Nullable JsonNode id) {
        var connection = id == null ? null : underWay.remove(id);
        if (connection != null) connection.run();
    }

    /** A message and its answer, over as many connections as it takes. */
    private final class Exchange implements Messenger.Answers {
        private final JsonNode message;
        private final @Nullable JsonNode id;
        private boolean isAnswered;
        private boolean isGone;
        private @Nullable String last;

        Exchange(JsonNode message, @Nullable JsonNode id) {
            this.message = message;
            this.id = id;
        }

        void run() {
            var before = session;
            try {
                client.send(new Message("POST", PATH, headers(message), message), this);
                if (isGone && beginAgain(before)) {
                    isGone = false;
                    client.send(new Message("POST", PATH, headers(message), message), this);
                }
                for (int i = 0; i < RESUMES_MAX && isWanted() && last != null; i++) {
                    var more = new LinkedHashMap<>(ofSession());
                    more.put("Last-Event-ID", last);
                    client.send(new Message("GET", PATH, more, null), this);
                }
                if (isWanted()) failed(id, NO_ANSWER, "the answer of the coordinator broke off");
            } catch (CoppiceClient.Unreachable e) {
                var why = e.getMessage() + "; start one with './coppice up'";
                if (isWanted()) failed(id, NO_ANSWER, why);
            } catch (RuntimeException e) {
                if (isWanted()) failed(id, NO_ANSWER, "cannot pass it on: " + e.getMessage());
            }
        }

        private boolean isWanted() {
            return id != null && !isAnswered && underWay.containsKey(id);
        }

        @Override
        public void began(Runnable hangUp) {
            if (id == null) return;
            underWay.put(id, hangUp);
            if (isClosing && subscriptions.contains(id)) hangUp(id);
        }

        @Override
        public void status(int status) {
            isGone = status == GONE && session != null;
        }

        @Override
        public void header(String name, String value) {
            if (name.equalsIgnoreCase(McpHeaders.SESSION)) session = value;
        }

        @Override
        public void id(String event) {
            last = event;
        }

        @Override
        public void answer(JsonNode answer) {
            boolean isLast = !answer.has("method");
            // Drop the error of a session that is gone: the message is sent again in a new one.
            if (isLast && (id == null || (isGone && beginning != null))) return;
            if (isLast) isAnswered = true;
            told(answer.has("jsonrpc") ? answer : Json.tree(problem(id, answer)));
        }
    }

    /** Prints what the session gets outside of its requests; reconnects if the stream breaks. */
    private void listen() {
        var own = session;
        Threads.virtual("mcp-stream")
                .start(() -> {
                    var stream = new OwnStream();
                    while (!isClosing && own != null && own.equals(session) && stream.isGood) {
                        stream.isGood = false;
                        var more = new LinkedHashMap<>(Map.of(McpHeaders.SESSION, own));
                        if (stream.last != null) more.put("Last-Event-ID", stream.last);
                        try {
                            client.send(new Message("GET", PATH, more, null), stream);
                        } catch (RuntimeException _) {
                            // The next request reports this, or begins a new session.
                        }
                    }
                });
    }

    private final class OwnStream implements Messenger.Answers {
        private boolean isGood = true;
        private @Nullable String last;

        @Override
        public void began(Runnable hangUp) {
            ownStream = hangUp;
        }

        @Override
        public void status(int status) {
            isGood = status == 200;
        }

        @Override
        public void id(String event) {
            last = event;
        }

        @Override
        public void answer(JsonNode answer) {
            if (answer.has("method")) told(answer);
        }
    }

    /** Prints a message. After the end of the input, a question ends the session. */
    private void told(JsonNode message) {
        boolean isQuestion = message.has("method") && message.has("id");
        if (isQuestion) questions.add(message.get("id"));
        print(message);
        if (isQuestion && isClosing) end();
    }

    private Map<String, String> ofSession() {
        var own = session;
        return own == null ? Map.of() : Map.of(McpHeaders.SESSION, own);
    }

    /** Handles the end of the input: cancels subscriptions, and ends a session that asks. */
    void noMore() {
        isClosing = true;
        subscriptions.forEach(this::hangUp);
        if (!questions.isEmpty()) end();
    }

    /** Ends the session, if there is one. */
    void end() {
        var stream = ownStream;
        if (stream != null) stream.run();
        var own = ofSession();
        session = null;
        if (own.isEmpty()) return;
        try {
            client.send(new Message("DELETE", PATH, own, null), _ -> {});
        } catch (RuntimeException _) {
            // The session expires.
        }
    }

    /** Derives the headers that the protocol requires; their values are part of the message. */
    private Map<String, String> headers(JsonNode message) {
        var headers = new LinkedHashMap<>(ofSession());
        var params = message.path("params");
        var version = Json.textIfAny(params.path("_meta"), META);
        var method = Json.textIfAny(message, "method");
        if (version == null || method == null) return headers;
        headers.put(McpHeaders.VERSION, version);
        headers.put(McpHeaders.METHOD, method);
        var field = McpHeaders.named(method);
        var name = field == null ? null : Json.textIfAny(params, field);
        if (name != null) headers.put(McpHeaders.NAME, McpHeaders.encoded(name));
        return headers;
    }

    /** A refusal that precedes the protocol, such as a missing token, is a plain problem. */
    private static Failure problem(@Nullable JsonNode id, JsonNode answer) {
        var said = Json.textIfAny(answer, "error");
        var advice = Json.textIfAny(answer, "advice");
        var reason = said == null ? "the answer is not of this protocol" : said;
        if (advice != null && !advice.isEmpty()) reason += ". " + advice;
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
