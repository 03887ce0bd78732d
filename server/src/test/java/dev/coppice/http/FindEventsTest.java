package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Eventually;
import dev.coppice.wire.SseFrame;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** Events are found over HTTP: plan has draft, and other is a tree of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FindEventsTest {
    private final Caller server = new Caller();

    @BeforeAll
    void fill() {
        server.post("/sessions", "{\"session_id\":\"plan\",\"session_name\":\"plan\"}");
        server.post(
                "/sessions",
                "{\"session_id\":\"draft\",\"session_name\":\"draft\",\"parent_session_id\":\"plan\"}");
        server.post("/sessions", "{\"session_id\":\"other\",\"session_name\":\"other\"}");
        tell("plan", "{\"event_type\":\"UserPromptSubmit\",\"prompt\":\"Find the lost socket\"}");
        tell(
                "draft",
                "{\"event_type\":\"PostToolUse\",\"tool_name\":\"Bash\",\"error\":\"socket"
                        + " refused\"}");
        tell("other", "{\"event_type\":\"message\",\"text\":\"a socket of another tree\"}");
        var last = server.get("/events?limit=1").get("events").get(0).get("event").get("id");
        Eventually.await(
                () -> server.get("/events?limit=1").get("indexed_up_to").asLong() >= last.asLong(),
                () -> "not indexed");
    }

    @AfterAll
    void close() {
        server.close();
    }

    private void tell(String session, String event) {
        server.post("/sessions/" + session + "/events", event);
    }

    private static List<String> sessions(JsonNode found) {
        var ids = new ArrayList<String>();
        for (var hit : found.get("events")) {
            ids.add(hit.get("event").get("session_id").asString());
        }
        return ids;
    }

    @Test
    void the_newest_come_first_with_their_matches() {
        var found = server.get("/events?text=SOCKET");
        assertThat(sessions(found)).containsExactly("other", "draft", "plan");
        var hit = found.get("events").get(1);
        assertThat(hit.get("tool").asString()).isEqualTo("Bash");
        assertThat(hit.get("status").asString()).isEqualTo("failed");
        assertThat(hit.get("excerpt").asString()).isEqualTo("Bash\nsocket refused");
        assertThat(hit.get("matches").toString()).isEqualTo("[[5,11]]");
    }

    @Test
    void a_search_is_continued_from_its_last_number() {
        var first = server.get("/events?text=socket&limit=2");
        var rest = server.get("/events?text=socket&before=" + first.get("next").asString());
        assertThat(sessions(rest)).containsExactly("plan");
        assertThat(rest.get("next").isNull()).isTrue();
        assertThat(sessions(server.get("/events?text=socket&after=0&limit=2")))
                .containsExactly("plan", "draft");
    }

    @Test
    void conditions_narrow_it() {
        assertThat(sessions(server.get("/events?subtree=plan&text=socket")))
                .containsExactly("draft", "plan");
        assertThat(sessions(server.get("/events?session_id=plan&text=socket")))
                .containsExactly("plan");
        assertThat(sessions(server.get("/events?types=message,UserPromptSubmit")))
                .containsExactly("other", "plan");
        assertThat(sessions(server.get("/events?tool=bash&status=failed")))
                .containsExactly("draft");
        assertThat(sessions(server.get("/events?status=ok&tool=Bash"))).isEmpty();
        assertThat(sessions(server.get("/events?wave_id=none"))).isEmpty();
    }

    /** The first part is read from the journal, the second as it happens. */
    @Test
    void a_stream_takes_the_same_conditions() {
        var seen = new ArrayList<String>();
        server.client()
                .follow(
                        "/sse/sessions?after=0&tool=bash&status=failed",
                        frame -> !seen.add(frame.data()));
        assertThat(seen.getFirst()).contains("socket refused");

        var frames = new ArrayList<SseFrame>();
        server.client()
                .follow(
                        "/sse/sessions?tool=Read&wave_id=w-9",
                        frame -> {
                            frames.add(frame);
                            if (frames.size() > 1) return false;
                            var run =
                                    "{\"session_id\":\"in\",\"prompt\":\"x\",\"wave_id\":\"w-9\"}";
                            server.post("/runs", run);
                            for (var session : List.of("other", "in")) {
                                tell(session, "{\"event_type\":\"a\",\"tool_name\":\"Bash\"}");
                                tell(session, "{\"event_type\":\"b\",\"tool_name\":\"Read\"}");
                            }
                            return true;
                        });
        assertThat(frames.getLast().data()).contains("\"in\"").contains("Read");
    }

    @Test
    void an_agent_finds_only_what_is_in_its_subtree() {
        var agent = server.as(dev.coppice.access.Caller.agent(new SessionId("draft")));
        assertThat(sessions(agent.get("/events?text=socket").body())).containsExactly("draft");
        assertThat(agent.get("/events?text=socket&subtree=plan").status()).isEqualTo(404);
        assertThat(sessions(agent.get("/events").body())).containsOnly("draft");
    }

    @Test
    void a_search_for_nothing_is_refused() {
        for (var text : List.of("-socket", "%22%22", "*", "%26")) {
            var refused = server.client().get("/events?text=" + text);
            assertThat(refused.status()).as(text).isEqualTo(400);
            assertThat(refused.body().toString()).contains("at least one word that must occur");
        }
    }

    @Test
    void a_search_for_too_much_is_refused() {
        for (var text : List.of("w".repeat(501), "a+".repeat(17))) {
            var refused = server.client().get("/events?text=" + text);
            assertThat(refused.status()).as(text).isEqualTo(400);
            assertThat(refused.body().toString()).contains("at most 16 terms");
        }
    }
}
