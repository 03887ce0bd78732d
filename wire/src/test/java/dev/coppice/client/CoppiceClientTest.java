package dev.coppice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.Method;
import dev.coppice.wire.SseFrame;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** The client with servers that answer badly, which no coordinator does. */
class CoppiceClientTest {
    private record Thing(String name) {}

    private record Put(@Field("the name") String name) {}

    private static final Call<Call.Nothing, Thing> READ =
            Call.get("read", "/thing", Call.Nothing.class, Thing.class, "Read");
    private static final Call<Put, Thing> CREATE =
            Call.post("create", "/thing", Put.class, Thing.class, "Create");
    private static final Call<Put, Thing> CHANGE = CREATE.by(Method.PATCH);
    private static final Call<Call.Nothing, Call.Stream> FOLLOW =
            Call.get("follow", "/stream", Call.Nothing.class, Call.Stream.class, "Follow");
    private static final Call<Call.Nothing, Call.Bytes> FETCH =
            Call.get("fetch", "/file", Call.Nothing.class, Call.Bytes.class, "Fetch");
    private static final Call.Nothing NOTHING = new Call.Nothing();

    private HttpServer server;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    CoppiceClientTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void begin() {
        server.start();
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private interface Answering {
        void answer(HttpExchange exchange) throws IOException;
    }

    private CoppiceClient client(Answering answering) {
        server.createContext(
                "/",
                exchange -> {
                    var body =
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8);
                    asked.add(
                            exchange.getRequestMethod()
                                    + " "
                                    + exchange.getRequestURI()
                                    + " "
                                    + body);
                    try (exchange) {
                        answering.answer(exchange);
                    }
                });
        return new CoppiceClient(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()), "t");
    }

    private static Answering says(int status, String body) {
        return exchange -> {
            var bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        };
    }

    @Test
    void a_call_sends_its_token_and_its_input() {
        var tokens = new CopyOnWriteArrayList<String>();
        var client =
                client(exchange -> {
                    tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
                    says(201, "{\"name\":\"x\"}").answer(exchange);
                });
        assertThat(client.call(CREATE, new Put("x")).value()).isEqualTo(new Thing("x"));
        assertThat(asked).containsExactly("POST /thing {\"name\":\"x\"}");
        assertThat(tokens).containsExactly("Bearer t");
    }

    @Test
    void a_change_is_sent_as_the_method_that_the_faster_client_lacks() {
        var client = client(says(200, "{\"name\":\"y\"}")).with(Map.of("X-Agent-Session-Id", "s"));
        assertThat(client.call(CHANGE, new Put("y")).value()).isEqualTo(new Thing("y"));
        assertThat(asked).containsExactly("PATCH /thing {\"name\":\"y\"}");
    }

    @Test
    void an_answer_without_a_body_is_an_empty_object() {
        var answer = client(says(204, "")).call(READ, NOTHING);
        assertThat(answer.isGood()).isTrue();
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void an_error_without_a_body_is_told_by_its_status() {
        var client = client(says(401, ""));
        assertThat(client.call(READ, NOTHING).error()).isEqualTo("the coordinator answered 401");
    }

    @Test
    void an_answer_that_is_not_json_comes_from_no_coordinator() {
        var client = client(says(502, "<html>Bad Gateway</html>"));
        assertThatThrownBy(() -> client.call(READ, NOTHING))
                .isInstanceOf(CoppiceClient.Unreachable.class)
                .hasMessageContaining("the answer with status 502 is not JSON");
        assertThatThrownBy(() -> client.call(CHANGE, new Put("y")))
                .isInstanceOf(CoppiceClient.Unreachable.class)
                .hasMessageContaining("not JSON");
    }

    @Test
    void a_port_without_a_server_is_unreachable() throws IOException {
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        var client = new CoppiceClient(URI.create("http://127.0.0.1:" + port), "t");
        assertThatThrownBy(() -> client.call(READ, NOTHING))
                .isInstanceOf(CoppiceClient.Unreachable.class)
                .hasMessageStartingWith("no coordinator answers at http://127.0.0.1:" + port);
    }

    /** A start that the coordinator has carried out before it died must not happen twice. */
    @Test
    void a_request_whose_connection_breaks_is_sent_once() throws IOException {
        var connections = new AtomicInteger();
        try (var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var accepting =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    while (true) {
                                        try (var connection = socket.accept()) {
                                            connections.incrementAndGet();
                                            connection.getInputStream().read(new byte[4096]);
                                        }
                                    }
                                } catch (IOException _) {
                                    // The test is over.
                                }
                            });
            var client =
                    new CoppiceClient(URI.create("http://127.0.0.1:" + socket.getLocalPort()), "t");
            assertThatThrownBy(() -> client.call(CREATE, new Put("x")))
                    .isInstanceOf(CoppiceClient.Unreachable.class);
            assertThat(accepting.isAlive()).isTrue();
            assertThat(connections).hasValue(1);
        }
    }

    @Test
    void a_call_with_patience_waits_for_a_coordinator_that_is_restarting() {
        var tries = new AtomicInteger();
        var client =
                client(exchange -> {
                    var body = tries.incrementAndGet() == 1 ? "restarting" : "{\"name\":\"x\"}";
                    says(200, body).answer(exchange);
                });
        assertThat(client.callPatiently(READ, NOTHING).value()).isEqualTo(new Thing("x"));
        assertThat(tries).hasValue(2);
    }

    @Test
    void a_call_with_patience_does_not_repeat_what_was_refused() {
        var client = client(says(503, "{\"error\":\"no\",\"code\":\"not_done\",\"advice\":\"\"}"));
        assertThat(client.callPatiently(READ, NOTHING).says("not_done")).isTrue();
        assertThat(asked).hasSize(1);
    }

    private static Answering streams(String... parts) {
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            for (var part : parts) flushed(exchange.getResponseBody(), part);
        };
    }

    private static void flushed(OutputStream out, String part) throws IOException {
        out.write(part.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    private static List<String> followed(CoppiceClient client, int most) {
        var data = new ArrayList<String>();
        client.follow(
                FOLLOW,
                NOTHING,
                (SseFrame frame) -> {
                    data.add(frame.data());
                    return data.size() < most;
                });
        return data;
    }

    @Test
    void a_stream_in_pieces_is_read_whole_until_it_ends() {
        // A character and a line end are each cut in two.
        var client = client(streams("data: h\u00c3", "\u00a9\r", "\n\r\nda", "ta: y\n", "\n"));
        assertThat(followed(client, 9)).containsExactly("h\u00e9", "y");
    }

    @Test
    void a_reader_that_has_enough_hangs_up() {
        assertThat(followed(client(streams("data: x\n\ndata: y\n\n")), 1)).containsExactly("x");
    }

    @Test
    void a_stream_that_is_refused_has_a_problem() {
        var client =
                client(
                        says(
                                403,
                                "{\"error\":\"not"
                                        + " yours\",\"code\":\"not_allowed\",\"advice\":\"\"}"));
        assertThatThrownBy(() -> followed(client, 9))
                .isInstanceOf(Refused.class)
                .hasMessage("not yours");
    }

    /**
     * An end that is announced differs from a connection that was lost: only that is followed on.
     */
    @Test
    void a_stream_that_breaks_off_is_unreachable() throws IOException {
        try (var socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual()
                    .start(() -> {
                        try (var connection = socket.accept()) {
                            connection.getInputStream().read(new byte[4096]);
                            flushed(
                                    connection.getOutputStream(),
                                    String.join(
                                            "\r\n",
                                            "HTTP/1.1 200 OK",
                                            "Content-Type: text/event-stream",
                                            "Transfer-Encoding: chunked",
                                            "",
                                            "9",
                                            "data: x\n\n",
                                            "ff",
                                            "data: y"));
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    });
            var client =
                    new CoppiceClient(URI.create("http://127.0.0.1:" + socket.getLocalPort()), "t");
            assertThatThrownBy(() -> followed(client, 9))
                    .isInstanceOf(CoppiceClient.Unreachable.class)
                    .hasMessageContaining("the event stream broke off");
        }
    }

    @Test
    void a_file_is_downloaded_byte_by_byte() {
        var into = new ByteArrayOutputStream();
        client(streams("\u0000\u00ff\r\n")).download(FETCH, NOTHING, into);
        assertThat(into.toByteArray()).containsExactly(0, 0xff, '\r', '\n');
    }

    @Test
    void a_file_that_is_refused_leaves_nothing_behind() {
        var into = new ByteArrayOutputStream();
        var client = client(says(404, "{\"error\":\"no file\",\"code\":\"x\",\"advice\":\"\"}"));
        assertThatThrownBy(() -> client.download(FETCH, NOTHING, into))
                .isInstanceOf(Refused.class)
                .hasMessage("no file");
        assertThat(into.size()).isZero();
    }
}
