package dev.coppice.runner.drive;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.coppice.client.CoppiceClient;
import dev.coppice.runner.drive.dialect.Message;
import dev.coppice.runner.drive.dialect.Upstream;
import dev.coppice.scene.Eventually;
import dev.coppice.thread.Loops;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/** A coordinator whose answers a driver cannot read, such as one of another version. */
class StrangeAnswersTest {
    private final HttpServer coordinator;
    private final CoppiceClient client;
    private final Loops loops = new Loops();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    /** The answers in their order; the last one is repeated. */
    private volatile List<String> answers = List.of("{}");

    private volatile int status = 200;

    StrangeAnswersTest() throws IOException {
        var place = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        coordinator = HttpServer.create(place, 0);
        var address = "http://127.0.0.1:" + coordinator.getAddress().getPort();
        client = new CoppiceClient(URI.create(address), "cop_x");
    }

    @BeforeEach
    void begin() {
        coordinator.createContext(
                "/",
                exchange -> {
                    var body = exchange.getRequestBody().readAllBytes();
                    int at = Math.min(asked.size(), answers.size() - 1);
                    asked.add(new String(body, StandardCharsets.UTF_8));
                    var answer = answers.get(at).getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(status, answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        coordinator.start();
    }

    @AfterEach
    void end() {
        coordinator.stop(0);
    }

    /** The thread that tells ended, and what was told after that never arrived. */
    @Test
    void an_answer_that_cannot_be_read_does_not_hold_up_what_is_told_next() {
        status = 400;
        // A problem is an object.
        answers = List.of("[]");
        try (var up = new HttpUpstream(client, "s", "r", loops)) {
            up.event(Upstream.SELF, "first", Map.of());
            up.event(Upstream.SELF, "second", Map.of());
        }
        assertThat(asked).hasSize(2);
        assertThat(asked.getLast()).contains("second");
    }

    /** An answer that came at once was taken for an older message, and the program waited on. */
    @Test
    void the_time_of_a_question_is_known_before_the_question_is_visible() {
        answers = List.of("{\"messages\":[],\"ended\":[],\"now\":\"2026-01-01T00:00:00Z\"}", "{}");
        var heard = new LinkedBlockingQueue<Heard>();
        Inbox box;
        try (var up = new HttpUpstream(client, "s", "r", loops)) {
            box = new Inbox(client, "r", heard, Map::of, loops);
            up.onQuestions(box::isAsked);
            up.question(Upstream.SELF, "q", Map.of("request_id", "q"));
        }
        assertThat(asked).hasSize(2);
        assertThat(asked.getLast()).contains("permission_request");
        var at = Instant.parse("2026-01-01T00:00:00Z");
        assertThat(box.isAnswerTo("q", new Message("m", "allow", null, false, at))).isTrue();
        var before = new Message("m", "allow", null, false, at.minusMillis(1));
        assertThat(box.isAnswerTo("q", before)).isFalse();
    }

    /** The thread that takes messages ended, and the agent heard none for the rest of its life. */
    @Test
    void messages_are_taken_after_an_answer_that_cannot_be_read() {
        answers =
                List.of(
                        "{\"messages\":[],\"ended\":[],\"now\":\"soon\"}",
                        "{\"messages\":[],\"ended\":[\"s1\"],\"now\":\"2026-01-01T00:00:00Z\"}");
        var heard = new LinkedBlockingQueue<Heard>();
        new Inbox(client, "r", heard, () -> Map.of("s1", "a1"), loops).start();
        Eventually.await(() -> !heard.isEmpty(), () -> "asked " + asked.size() + " times");
        assertThat(heard).contains(new Heard.SubagentStopped("a1"));
        assertThat(loops.failures()).containsEntry("inbox", 1L);
    }
}
