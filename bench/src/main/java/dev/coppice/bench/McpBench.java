package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;

/** Tool calls of both eras, and clients that only listen. */
final class McpBench {
    private static final int CLIENTS = 16;
    private static final int CALLS = 8_000;
    private static final int LISTENERS = 1_000;
    private static final int COLLECTIONS = 5;
    private static final double AGAINST_REST = 0.5;
    private static final double P99_MILLIS_MAX = 59;
    private static final double MEGABYTES_MAX = 64;
    private static final int THREADS_MAX = 8;
    private static final String META =
            "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientCapabilities\":{}}";
    private static final String CALL =
            "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{"
                    + "\"name\":\"list_agent_sessions\",\"arguments\":{\"limit\":1}%s}}";
    private static final String LATER = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: %s\r\n";

    private McpBench() {}

    static void run(Verdicts verdicts) throws Exception {
        try (var server = new Server()) {
            for (int i = 0; i < 100; i++) server.post("/sessions", "{}");
            calls(verdicts, server);
            listeners(verdicts, server);
        }
    }

    private static void calls(Verdicts verdicts, Server server) throws Exception {
        try (var clients = new Clients(server)) {
            var stateless = LATER.formatted("tools/call") + "Mcp-Name: list_agent_sessions\r\n";
            var session = "Mcp-Session-Id: " + clients.session() + "\r\n";
            Load.of(CLIENTS, CALLS, i -> clients.post(CALL.formatted(i, "," + META), stateless));
            var rest = Load.of(CLIENTS, CALLS, _ -> clients.get("/sessions?limit=1"));
            var later =
                    Load.of(
                            CLIENTS,
                            CALLS,
                            i -> clients.post(CALL.formatted(i, "," + META), stateless));
            var earlier =
                    Load.of(CLIENTS, CALLS, i -> clients.post(CALL.formatted(i, ""), session));
            told(verdicts, "2026-07-28", later, rest);
            told(verdicts, "2025-11-25", earlier, rest);
        }
    }

    private static void told(Verdicts verdicts, String era, Load load, Load rest) {
        Verdicts.note("%s: p50 %.2f ms, p99 %.2f ms", era, load.p50Millis(), load.p99Millis());
        verdicts.atLeast(
                "tool calls of 16 clients, %s; against REST".formatted(era),
                Amount.perSecond(load.perSecond()),
                Amount.perSecond(rest.perSecond()),
                AGAINST_REST);
        verdicts.atMost(
                "p99 of a tool call, %s".formatted(era),
                Amount.millis(load.p99Millis()),
                P99_MILLIS_MAX);
    }

    private static void listeners(Verdicts verdicts, Server server) throws Exception {
        var body =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{"
                    + "\"notifications\":{\"resourceSubscriptions\":[\"coppice://sessions/%s\"]},"
                        + META
                        + "}}";
        server.post("/sessions", "{\"session_id\":\"watched\"}");
        held(
                verdicts,
                "1,000 open subscriptions",
                () -> {
                    var client = new Client(server);
                    client.send(
                            "POST",
                            "/mcp",
                            LATER.formatted("subscriptions/listen"),
                            body.formatted("watched"));
                    client.begin();
                    return client;
                });
        held(
                verdicts,
                "1,000 idle sessions with their streams",
                () -> {
                    var client = new Client(server);
                    var session = client.session();
                    client.send("GET", "/mcp", "Mcp-Session-Id: " + session + "\r\n", "");
                    client.begin();
                    return client;
                });
    }

    private interface Opening {
        Client open() throws IOException;
    }

    private static void held(Verdicts verdicts, String what, Opening opening) throws Exception {
        double before = megabytes();
        int threads = Thread.activeCount();
        var open = new ArrayList<Client>();
        for (int i = 0; i < LISTENERS; i++) open.add(opening.open());
        verdicts.atMost(
                what + ", memory with their clients",
                Amount.megabytes(megabytes() - before),
                MEGABYTES_MAX);
        verdicts.atMost(
                what + ", threads",
                new Amount(Math.max(0, Thread.activeCount() - threads), ""),
                THREADS_MAX);
        for (var client : open) client.close();
    }

    private static double megabytes() {
        for (int i = 0; i < COLLECTIONS; i++) System.gc();
        var runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1e6;
    }

    /** As many connections as there are clients. */
    private static final class Clients implements AutoCloseable {
        private final ArrayBlockingQueue<Client> free = new ArrayBlockingQueue<>(CLIENTS);
        private final List<Client> all = new ArrayList<>();

        Clients(Server server) throws IOException {
            for (int i = 0; i < CLIENTS; i++) all.add(new Client(server));
            free.addAll(all);
        }

        String session() throws IOException {
            return all.getFirst().session();
        }

        void post(String body, String headers) {
            asked("POST", "/mcp", headers, body);
        }

        void get(String path) {
            asked("GET", path, "", "");
        }

        private void asked(String method, String path, String headers, String body) {
            try {
                var client = free.take();
                client.send(method, path, headers, body);
                var answer = client.answer();
                if (!answer.startsWith("{") || answer.contains("\"error\""))
                    throw new IllegalStateException(answer);
                free.add(client);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() throws IOException {
            for (var client : all) client.close();
        }
    }

    /** One connection, with as little work of its own as possible. */
    private static final class Client {
        private final Socket socket;
        private final BufferedReader in;
        private final String head;
        private String session = "";

        Client(Server server) throws IOException {
            var url = URI.create(server.coordinator().url());
            this.socket = new Socket(InetAddress.getLoopbackAddress(), url.getPort());
            socket.setTcpNoDelay(true);
            this.in =
                    new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8),
                            1024);
            this.head =
                    "Host: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"
                                    .formatted(url.getAuthority(), server.token())
                            + "Accept: application/json, text/event-stream\r\n";
        }

        void send(String method, String path, String headers, String body) throws IOException {
            var request =
                    "%s %s HTTP/1.1\r\n%s%sContent-Length: %d\r\n\r\n%s"
                            .formatted(method, path, head, headers, body.length(), body);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        }

        /** Reads the head of an answer; returns the length of its body. */
        int begin() throws IOException {
            int length = 0;
            var status = String.valueOf(in.readLine());
            for (var line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                var lower = line.toLowerCase(java.util.Locale.ROOT);
                if (lower.startsWith("content-length: "))
                    length = Integer.parseInt(line.substring(16));
                if (lower.startsWith("mcp-session-id: ")) session = line.substring(16);
            }
            if (!status.contains(" 200")) throw new IOException(status);
            return length;
        }

        String answer() throws IOException {
            var body = new char[begin()];
            for (int at = 0; at < body.length; ) {
                int read = in.read(body, at, body.length - at);
                if (read < 0) throw new IOException("the answer broke off");
                at += read;
            }
            return new String(body);
        }

        String session() throws IOException {
            send(
                    "POST",
                    "/mcp",
                    "",
                    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                            + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}");
            answer();
            return session;
        }

        void close() throws IOException {
            socket.close();
        }
    }
}
