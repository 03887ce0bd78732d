package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/** The relationship server's paths about related sessions, as its hooks and pages call them. */
class RelationshipServerTest {
    private final Caller server = new Caller();

    @AfterEach
    void close() {
        server.close();
    }

    private Caller.Sent send(String method, String path, String body) {
        var token = "Bearer " + server.token();
        return server.send(method, path, body, Map.of("Authorization", token));
    }

    private JsonNode good(String method, String path, String body, int status) {
        var answer = send(method, path, body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        return Json.read(answer.body());
    }

    private void event(String session, String type, String more) {
        good(
                "POST",
                "/events",
                """
                {"source_app":"app","session_id":"%s","hook_event_type":"%s","payload":{}%s}\
                """
                        .formatted(session, type, more),
                200);
    }

    @Test
    void a_spawn_is_a_child_until_it_is_completed() {
        event("plan", "SessionStart", "");
        var spawned =
                good(
                        "POST",
                        "/api/sessions/spawn",
                        """
                        {"parent_session_id":"plan","spawn_context":{"agent_name":"reviewer",
                         "task_description":"look","delegation_type":"parallel"}}\
                        """,
                        200);
        var child = spawned.get("child_session_id").asString();
        assertThat(spawned.get("relationship").get("delegation_type").asString())
                .isEqualTo("parallel");
        var tree = good("GET", "/api/sessions/plan/tree?maxDepth=5", "", 200).get("tree");
        assertThat(tree.get("session_id").asString()).isEqualTo("plan");
        var node = tree.get("children").get(0);
        assertThat(node.get("session_id").asString()).isEqualTo(child);
        assertThat(node.get("agent_name").asString()).startsWith("reviewer-");
        assertThat(node.get("status").asString()).isEqualTo("active");
        assertThat(node.get("relationship_type").asString()).isEqualTo("parent/child");
        assertThat(node.get("depth").asInt()).isEqualTo(1);
        var done =
                good(
                        "POST",
                        "/api/sessions/plan/child_completed",
                        "{\"child_session_id\":\"%s\",\"completion_data\":{}}".formatted(child),
                        200);
        assertThat(done.toString()).isEqualTo("{\"success\":true}");
        var after = good("GET", "/api/sessions/plan/children", "", 200).get("children").get(0);
        assertThat(after.get("status").asString()).isEqualTo("completed");
        assertThat(after.get("duration_ms").asLong()).isNotNegative();
    }

    @Test
    void declared_relationships_are_kept_and_counted() {
        event("plan", "SessionStart", "");
        good(
                "POST",
                "/api/sessions/relationships",
                """
                {"parent_session_id":"plan","child_session_id":"draft",
                 "relationship_type":"parent/child","spawn_reason":"task_tool",
                 "delegation_type":"isolated","spawn_metadata":{"task":"write"}}\
                """,
                201);
        good(
                "POST",
                "/api/sessions/relationships",
                """
                {"parent_session_id":"draft","child_session_id":"redraft",
                 "relationship_type":"continuation","spawn_reason":"continuation"}\
                """,
                201);
        assertThat(good("GET", "/api/sessions/draft/depth", "", 200).toString())
                .isEqualTo("{\"depth\":1}");
        good("PATCH", "/api/sessions/relationships/draft/complete", "{}", 200);
        var relatives = good("GET", "/api/sessions/plan/relationships", "", 200);
        assertThat(relatives.get("children").get(0).get("status").asString())
                .isEqualTo("completed");
        assertThat(relatives.get("relationships").size()).isEqualTo(1);
        var stats = good("GET", "/api/relationships/stats", "", 200);
        assertThat(stats.get("totalRelationships").asLong()).isEqualTo(2);
        assertThat(stats.get("stats").get("relationshipTypes").toString())
                .isEqualTo("{\"continuation\":1,\"parent/child\":1}");
        assertThat(stats.get("completionRate").asDouble()).isEqualTo(0.5);
        assertThat(good("GET", "/api/analytics/relationships", "", 200)).isEqualTo(stats);
    }

    @Test
    void values_that_the_schema_does_not_know_are_refused_by_name() {
        event("plan", "SessionStart", "");
        event("other", "SessionStart", "");
        Map.of(
                        "relationship_type", "friend",
                        "spawn_reason", "boredom",
                        "delegation_type", "sideways",
                        "child_session_id", "not an id")
                .forEach((field, value) -> {
                    var body = Json.object();
                    body.put("parent_session_id", "plan").put("child_session_id", "draft");
                    body.put(field, value);
                    var answer = send("POST", "/api/sessions/relationships", body.toString());
                    assertThat(answer.status()).as(field).isEqualTo(400);
                    assertThat(answer.json().get("error").asString()).contains(field, value);
                });
        var late =
                send(
                        "POST",
                        "/api/sessions/relationships",
                        "{\"parent_session_id\":\"plan\",\"child_session_id\":\"other\"}");
        assertThat(late.status()).as(late.body()).isEqualTo(409);
        for (var context :
                new String[] {
                    "{\"wave_id\":\"%s\"}".formatted("w".repeat(3_000)),
                    "{\"task_description\":\"%s\"}".formatted("x".repeat(70_000))
                }) {
            var body = "{\"parent_session_id\":\"plan\",\"spawn_context\":%s}".formatted(context);
            assertThat(send("POST", "/api/sessions/spawn", body).status()).isBetween(400, 413);
        }
        assertThat(send("GET", "/api/sessions/nobody/tree", "").status()).isEqualTo(404);
    }

    @Test
    void ids_of_child_processes_name_their_parent() {
        var parent = "00893aaf-19fa-41d2-8238-3dd78fb1a2a1";
        event(parent + "_4711_1763690951", "PreToolUse", "");
        event(
                "wave-1",
                "SessionStart",
                ",\"parent_session_id\":\"%s\",\"wave_id\":\"w\"".formatted(parent));
        var tree = good("GET", "/api/sessions/" + parent + "/tree", "", 200).get("tree");
        assertThat(tree.get("children").findValuesAsString("relationship_type"))
                .containsExactlyInAnyOrder("parent/child", "wave_member");
        var wave = server.get("/waves/w");
        assertThat(wave.get("members").size()).isEqualTo(1);
        assertThat(Json.text(wave, "parent_session_id")).isEqualTo(parent);
    }
}
