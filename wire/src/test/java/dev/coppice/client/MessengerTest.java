package dev.coppice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Messages of another protocol, whose answers are one body or a stream. */
class MessengerTest {
    private final HttpServer server;
    private final List<Map<String, List<String>>> headers = new CopyOnWriteArrayList<>();

    MessengerTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    /** All that an answer brought, in its order. */
    private static final class Heard implements Messenger.Answers {
        private final List<String> all = new ArrayList<>();

        @Override
        public void status(int status) {
            all.add("status " + status);
        }

        @Override
        public void id(String id) {
            all.add("id " + id);
        }

        @Override
        public void answer(JsonNode answer) {
            all.add(answer.toString());
        }
    }

    private CoppiceClient client(String type, String body) {
        server.createContext(
                "/",
                exchange -> {
                    headers.add(Map.copyOf(exchange.getRequestHeaders()));
                    try (exchange) {
                        exchange.getRequestBody().readAllBytes();
                        exchange.getResponseHeaders().set("Content-Type", type);
                        exchange.sendResponseHeaders(200, 0);
                        exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
                    }
                });
        server.start();
        return new CoppiceClient(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()), "t");
    }

    private List<String> heard(String type, String body) {
        var heard = new Heard();
        try (var messenger = new Messenger(client(type, body))) {
            messenger.send(
                    new Messenger.Message("POST", "/mcp", Map.of("Mcp-Name", "x"), Json.object()),
                    heard);
        }
        return heard.all;
    }

    @Test
    void one_body_is_one_answer() {
        assertThat(heard("application/json", "{\"a\":1}"))
                .containsExactly("status 200", "{\"a\":1}");
        assertThat(headers)
                .singleElement()
                .satisfies(sent ->
                        assertThat(sent)
                                .containsEntry("Mcp-name", List.of("x"))
                                .containsEntry("Authorization", List.of("Bearer t")));
    }

    @Test
    void an_empty_body_is_no_answer() {
        assertThat(heard("application/json", " \n")).containsExactly("status 200");
    }

    @Test
    void each_frame_of_a_stream_is_an_answer_after_its_id() {
        assertThat(
                        heard(
                                "text/event-stream; charset=utf-8",
                                "id: 1\ndata: {\"a\":1}\n\nid:2\ndata: 7\n\n"))
                .containsExactly("status 200", "id 1", "{\"a\":1}", "id 2", "7");
    }

    /** The first frame of a stream may only tell where to go on. */
    @Test
    void an_id_counts_without_data() {
        assertThat(heard("text/event-stream", "id: 1\ndata:\n\n: still here\n\n"))
                .containsExactly("status 200", "id 1");
    }

    @Test
    void a_server_that_is_gone_is_unreachable() {
        var client = client("application/json", "{}");
        server.stop(0);
        try (var messenger = new Messenger(client)) {
            assertThatThrownBy(() ->
                            messenger.send(
                                    new Messenger.Message("GET", "/mcp", Map.of(), null), _ -> {}))
                    .isInstanceOf(CoppiceClient.Unreachable.class)
                    .hasMessageStartingWith("no coordinator answers at " + client.base());
        }
    }
}
