package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.Map;

/** Sessions of agents inside of another agent's program, for which its driver reports. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InsideTest {
    private final Caller server = new Caller();
    private String top = "";
    private int made;

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void begin() {
        top = "inside-" + made++;
        create(top, null, "test");
    }

    private void create(
            String id, @org.jspecify.annotations.Nullable String parent, String source) {
        var body = Json.object().put("session_id", id).put("session_name", id);
        body.put("source_app", source).put("on_parent_end", "stop");
        if (parent != null) body.put("parent_session_id", parent);
        server.post("/sessions", body.toString());
        server.post("/sessions/" + id + "/bind", "{}");
    }

    private int asAgent(String path, String body) {
        var token = server.coordinator().token(dev.coppice.access.Caller.agent(new SessionId(top)));
        var bearer = Map.of("Authorization", "Bearer " + token);
        return server.send("POST", path, body, bearer).status();
    }

    private String state(String id) {
        return String.valueOf(text(server.get("/sessions/" + id).get("session"), "state"));
    }

    @Test
    void an_agent_reports_for_those_inside_of_its_program_and_for_no_other() {
        create(top + "-sub", top, "inside");
        create(top + "-kid", top, "test");
        for (var path : new String[] {"/events", "/usage", "/end"}) {
            var body =
                    switch (path) {
                        case "/events" -> "{\"event_type\":\"note\"}";
                        case "/usage" -> "{\"tokens\":5}";
                        default -> "{\"status\":\"failed\",\"reason\":\"no luck\"}";
                    };
            assertThat(asAgent("/sessions/" + top + "-kid" + path, body)).as(path).isEqualTo(403);
            assertThat(asAgent("/sessions/" + top + "-sub" + path, body)).as(path).isLessThan(300);
        }
        assertThat(state(top + "-sub")).isEqualTo("failed");
        assertThat(state(top + "-kid")).isEqualTo("running");
        var spent = server.get("/sessions/" + top + "/budget").get("spent");
        assertThat(spent.get("tokens").asLong()).isEqualTo(5);
    }

    @Test
    void what_is_inside_ends_with_its_agent() {
        create(top + "-sub", top, "inside");
        server.post("/sessions/" + top + "/stop", "{}");
        assertThat(state(top + "-sub")).isEqualTo("stopped");
        var late = server.send("POST", "/sessions/" + top + "-sub/end", "{}", admin());
        assertThat(late.status()).isLessThan(300);
        assertThat(state(top + "-sub")).isEqualTo("stopped");
    }

    private Map<String, String> admin() {
        return Map.of("Authorization", "Bearer " + server.token());
    }

    @Test
    void a_session_with_a_run_ends_by_its_runner() {
        var run =
                server.post(
                        "/runs", "{\"session_name\":\"run-%s\",\"prompt\":\"x\"}".formatted(top));
        var path = "/sessions/" + text(run, "session_id") + "/end";
        assertThat(server.send("POST", path, "{}", admin()).status()).isEqualTo(409);
    }
}
