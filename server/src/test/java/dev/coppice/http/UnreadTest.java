package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** An agent that requests large answers and reads none of them delays no other caller. */
class UnreadTest {
    private static final int AT_ONCE = 16;
    private static final int LARGE = 900_000;
    private static final int EVENTS = 8;
    private final Caller server = new Caller();
    private final ArrayList<Socket> open = new ArrayList<>();

    @BeforeEach
    void a_session_with_large_events() {
        server.post("/sessions", "{\"session_id\":\"large\",\"session_name\":\"large\"}");
        var text = "x".repeat(LARGE);
        for (int i = 0; i < EVENTS; i++) note(text);
    }

    @AfterEach
    void close() throws IOException {
        for (var socket : open) socket.close();
        server.close();
    }

    private void note(String text) {
        server.post(
                "/sessions/large/events",
                "{\"event_type\":\"note\",\"text\":\"%s\"}".formatted(text));
    }

    private Socket asked(String path) throws IOException {
        var agent = dev.coppice.access.Caller.agent(new SessionId("large"));
        var token = server.coordinator().token(agent);
        var socket = server.hungUp("GET", path, "", "Authorization: Bearer " + token);
        open.add(socket);
        return socket;
    }

    /** A request counts against the limit of its caller until its answer is written. */
    @Test
    void unread_answers_delay_only_their_own_caller() throws Exception {
        for (int i = 0; i < AT_ONCE; i++) {
            begun(asked("/sessions/large/events?limit=1000"));
        }
        var next = asked("/sessions/large");
        var answer = CompletableFuture.supplyAsync(() -> line(next));
        for (int i = 0; i < AT_ONCE; i++) assertThat(server.get("/sessions/large")).isNotNull();
        assertThat(answer).isNotDone();
        open.getFirst().close();
        assertThat(answer.get(20, TimeUnit.SECONDS)).endsWith("200");
    }

    /** The server reads missed events in pieces, each after the previous one was written. */
    @Test
    void followers_that_do_not_read_missed_events_delay_no_other_follower() throws Exception {
        for (int i = 0; i < AT_ONCE; i++) {
            begun(asked("/sse/sessions?session_id=large&after=0&types=event,note"));
        }
        note("still written");
        try (var other =
                server.hungUp(
                        "GET",
                        "/sse/sessions?session_id=large&after=0&types=event,note",
                        "",
                        server.bearer())) {
            assertThat(line(other)).endsWith("200");
        }
        assertThat(server.get("/health").toString()).contains("healthy");
    }

    private static void begun(Socket socket) {
        assertThat(line(socket)).endsWith("200");
    }

    private static String line(Socket socket) {
        try {
            return new String(
                    socket.getInputStream().readNBytes(12),
                    java.nio.charset.StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
