package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The relationship server's paths about related sessions, as its hooks and pages call them. */
class RelationshipServerTest {
    private final Caller server = Product.caller();

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

    /** The end of a child was refused to it, and the rule that no declaration moves one passed. */
    @Test
    void a_sender_completes_children_and_moves_none() {
        var token = text(server.post("/tokens", "{\"role\":\"ingest\"}"), "token");
        var sender = Map.of("Authorization", "Bearer " + token);
        event("plan", "SessionStart", "");
        event("other", "SessionStart", "");
        var spawn =
                "{\"parent_session_id\":\"plan\",\"spawn_context\":{\"task_description\":\"look\"}}";
        var spawned = server.send("POST", "/api/sessions/spawn", spawn, sender).json();
        var child = String.valueOf(text(spawned, "child_session_id"));
        var pair = "{\"parent_session_id\":\"other\",\"child_session_id\":\"%s\"}".formatted(child);
        var moved = server.send("POST", "/api/sessions/relationships", pair, sender);
        assertThat(moved.status()).as(moved.body()).isEqualTo(409);
        var end = "{\"child_session_id\":\"%s\",\"completion_data\":{}}".formatted(child);
        var done = server.send("POST", "/api/sessions/plan/child_completed", end, sender);
        assertThat(done.status()).as(done.body()).isEqualTo(200);
        var after = good("GET", "/api/sessions/plan/children", "", 200).get("children").get(0);
        assertThat(text(after, "session_id")).isEqualTo(child);
        assertThat(text(after, "status")).isEqualTo("completed");
    }

    /** They were events of an app "declared", which no sender has. */
    @Test
    void a_declaration_is_in_the_history_of_its_session_and_no_sent_event() {
        event("plan", "SessionStart", "");
        var spawn =
                "{\"parent_session_id\":\"plan\",\"spawn_context\":{\"task_description\":\"look\"}}";
        var child =
                good("POST", "/api/sessions/spawn", spawn, 200).get("child_session_id").asString();
        good("POST", "/api/agents/start", "{\"agent_id\":\"a-1\",\"session_id\":\"plan\"}", 200);
        var recent = good("GET", "/events/recent", "", 200);
        assertThat(recent.findValuesAsString("hook_event_type")).containsExactly("SessionStart");
        var types = good("GET", "/events/filter-options", "", 200).get("hook_event_types");
        assertThat(types.toString()).isEqualTo("[\"SessionStart\"]");
        assertThat(server.get("/sessions/" + child + "/events").toString())
                .contains("SessionSpawn", "look")
                .doesNotContain("declared");
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
    void siblings_and_continuations_are_derived_where_they_are_certain() {
        for (var body :
                new String[] {
                    "{\"session_id\":\"plan\"}",
                    "{\"session_id\":\"one\",\"parent_session_id\":\"plan\"}",
                    "{\"session_id\":\"two\",\"parent_session_id\":\"plan\"}",
                    "{\"session_id\":\"next\",\"session_type\":\"continuation\",\"parent_session_id\":\"two\"}"
                }) {
            server.post("/sessions", body);
        }
        var next = good("GET", "/api/sessions/two/relationships", "", 200).get("children").get(0);
        assertThat(next.get("relationship_type").asString()).isEqualTo("continuation");
        assertThat(next.get("spawn_reason").asString()).isEqualTo("continuation");
        assertThat(related("one", "siblings")).containsExactly("two");

        server.post("/sessions/plan/removal?wait=20s", "{\"children\":\"detach\"}");
        assertThat(related("one", "siblings")).containsExactly("two");
        assertThat(related("two", "siblings")).containsExactly("one");

        var file = text(server.post("/sessions/two/backup", "{}"), "file");
        var copy = "{\"file\":\"%s\",\"new_ids\":true,\"rename\":true}".formatted(file);
        var restore = text(server.post("/restores", copy), "removal_id");
        var restored = server.get("/removals/" + restore + "?wait=20s");
        assertThat(related("two", "continuations"))
                .containsExactlyInAnyOrder("next", text(restored, "session_id"));
    }

    private List<String> related(String session, String kind) {
        var relatives = good("GET", "/api/sessions/%s/relationships".formatted(session), "", 200);
        var ids = new ArrayList<String>();
        relatives.get(kind).forEach(s -> ids.add(s.get("session_id").asString()));
        return ids;
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

    private void hook(String type, String payload) {
        good(
                "POST",
                "/events",
                """
                {"source_app":"app","session_id":"plan","hook_event_type":"%s","payload":%s}\
                """
                        .formatted(type, payload),
                200);
    }

    @Test
    void declared_agents_are_children_and_are_counted() {
        event("plan", "SessionStart", "");
        var started =
                good(
                        "POST",
                        "/api/agents/start",
                        """
                        {"agent_id":"a-1","agent_name":"lint","agent_type":"linter",
                         "session_id":"plan","source_app":"app"}\
                        """,
                        200);
        assertThat(started.get("agent_id").asString()).isEqualTo("a-1");
        var current = good("GET", "/api/agents/metrics/current", "", 200);
        assertThat(current.get("active_agents").asInt()).isEqualTo(1);
        assertThat(current.get("active_agent_details").get(0).get("agent_id").asString())
                .isEqualTo("a-1");
        var terminal = good("GET", "/api/terminal/status", "", 200);
        assertThat(terminal.get("active_agents").get(0).get("agent_type").asString())
                .isEqualTo("linter");
        good("POST", "/api/agents/complete", "{\"agent_id\":\"a-1\",\"status\":\"success\"}", 200);
        var after = good("GET", "/api/agents/metrics/current?start=0&end=9999999999999", "", 200);
        assertThat(after.get("active_agents").asInt()).isZero();
        assertThat(after.get("success_rate").asDouble()).isEqualTo(1);
        var types = good("GET", "/api/agents/types/distribution", "", 200).get("distribution");
        assertThat(types.get(0).get("type").asString()).isEqualTo("linter");
        var hours = good("GET", "/api/agents/metrics/timeline?hours=24", "", 200).get("timeline");
        assertThat(hours.get(0).get("executions").asInt()).isEqualTo(1);
        var performance = good("GET", "/api/agents/performance/linter?days=7", "", 200);
        assertThat(performance.get("total_executions").asInt()).isEqualTo(1);
        assertThat(good("GET", "/api/terminal/agent-colors", "", 200).get("linter").asString())
                .matches("#[0-9a-f]{6}");
        assertThat(good("POST", "/api/agents/complete", "{}", 200).get("success").asBoolean())
                .isFalse();
    }

    @Test
    void hooks_and_tools_are_shown_from_the_newest_events() {
        hook("PreToolUse", "{\"tool_name\":\"Bash\",\"agent_id\":\"a1\"}");
        hook("PostToolUse", "{\"tool_name\":\"Bash\",\"error\":\"denied\",\"duration_ms\":40}");
        event("plan", "PreToolUse", ",\"correlation_id\":\"c-1\"");
        var coverage = good("GET", "/api/hooks/coverage", "", 200);
        assertThat(coverage.get("totalActiveHooks").asInt()).isEqualTo(1);
        assertThat(coverage.get("totalErrorHooks").asInt()).isEqualTo(1);
        var context = good("GET", "/api/hooks/post_tool_use/context", "", 200);
        assertThat(context.get("toolUsage").get(0).get("name").asString()).isEqualTo("Bash");
        assertThat(context.get("recentErrors").get(0).get("message").asString())
                .isEqualTo("denied");
        assertThat(
                        good("GET", "/api/hooks/post_tool_use/metrics", "", 200)
                                .get("avgDuration")
                                .asInt())
                .isEqualTo(40);
        assertThat(good("GET", "/api/hooks/pre_tool_use/events?limit=1", "", 200).size())
                .isEqualTo(1);
        assertThat(
                        good("GET", "/api/hooks/pre_tool_use/execution-context", "", 200)
                                .get("activeSessions")
                                .get(0)
                                .asString())
                .isEqualTo("plan");
        var tools = good("GET", "/api/agents/tools/usage?period=day", "", 200).get("tools");
        assertThat(tools.get(0).get("usage_count").asInt()).isEqualTo(1);
        var correlated = good("GET", "/events/correlated?correlation_id=c-1", "", 200);
        assertThat(correlated.size()).isEqualTo(1);
        assertThat(good("GET", "/events/correlated", "", 200).size()).isEqualTo(1);
    }

    @Test
    void names_and_states_that_hooks_ask_for() {
        assertThat(good("GET", "/api/agent-names/k1", "", 200).get("success").asBoolean())
                .isFalse();
        good("POST", "/api/agent-names", "{\"cache_key\":\"k1\",\"name\":\"Ada\"}", 200);
        assertThat(good("GET", "/api/agent-names/k1", "", 200).get("data").get("name").asString())
                .isEqualTo("Ada");
        event("plan", "SessionStart", "");
        assertThat(
                        good("GET", "/api/session-names/plan", "", 200)
                                .get("data")
                                .get("name")
                                .asString())
                .isNotEmpty();
        assertThat(
                        good("GET", "/api/fallback/status", "", 200)
                                .get("overall_status")
                                .get("mode")
                                .asString())
                .isEqualTo("fallback");
        good("GET", "/api/fallback/health", "", 200);
        good("POST", "/api/fallback/test-redis", "{}", 200);
    }

    /** All shared one table of names, so an agent renamed those of other trees. */
    @Test
    void each_tree_has_names_of_its_own() {
        server.post("/sessions", "{\"session_id\":\"one\"}");
        server.post("/sessions", "{\"session_id\":\"two\"}");
        var one = server.as(dev.coppice.access.Caller.agent(new SessionId("one")));
        var two = server.as(dev.coppice.access.Caller.agent(new SessionId("two")));
        good("POST", "/api/agent-names", "{\"cache_key\":\"k\",\"name\":\"Ada\"}", 200);
        one.post("/api/agent-names", Json.read("{\"cache_key\":\"k\",\"name\":\"Bea\"}"));
        two.post("/api/agent-names", Json.read("{\"cache_key\":\"k\",\"name\":\"Cleo\"}"));
        two.post("/api/agent-names", Json.read("{\"cache_key\":\"k2\",\"name\":\"Dora\"}"));
        var path = "/api/agent-names/k";
        assertThat(good("GET", path, "", 200).at("/data/name").asString()).isEqualTo("Ada");
        assertThat(one.get(path).body().at("/data/name").asString()).isEqualTo("Bea");
        assertThat(two.get(path).body().at("/data/name").asString()).isEqualTo("Cleo");
        assertThat(one.get(path + "2").body().get("success").asBoolean()).isFalse();
    }

    /** The fork's own tests read these parts, and stopped at their absence. */
    @Test
    void health_names_the_store_redis_and_the_cache() {
        var health = good("GET", "/api/agents/health", "", 200);
        assertThat(health.get("status").asString()).isEqualTo("healthy");
        assertThat(health.at("/sqlite/status").asString()).isEqualTo("healthy");
        assertThat(health.at("/redis/status").asString()).isEqualTo("unhealthy");
        assertThat(health.at("/cache/redisAvailable").isBoolean()).isTrue();
        assertThat(health.at("/cache/lastCacheWarmup").asLong()).isPositive();
        assertThat(health.get("metrics_available").asBoolean()).isTrue();
        assertThat(health.get("timestamp").asLong()).isPositive();
    }

    /** The hooks of subagents send no event for each use, only a list at the end. */
    @Test
    void tools_that_the_end_of_an_agent_lists_are_counted_once() {
        hook(
                "SubagentStop",
                "{\"agent_id\":\"a1\",\"agent_type\":\"analyzer\",\"tools_used\":[\"Read\",\"Grep\"]}");
        hook("SubagentStop", "{\"agent_id\":\"a2\",\"tools_used\":[\"Read\",7,\"\"]}");
        hook("PreToolUse", "{\"agent_id\":\"a3\",\"tool_name\":\"Read\"}");
        hook("SubagentStop", "{\"agent_id\":\"a3\",\"tools_used\":[\"Read\"]}");
        var usage = good("GET", "/api/agents/tools/usage", "", 200);
        var read = usage.get("tools").get(0);
        assertThat(read.get("name").asString()).isEqualTo("Read");
        assertThat(read.get("usage_count").asInt()).isEqualTo(3);
        assertThat(read.get("agent_types_using").asInt()).isEqualTo(1);
        assertThat(usage.get("tools").findValuesAsString("name")).containsExactly("Read", "Grep");
        assertThat(usage.at("/insights/most_used_tool").asString()).isEqualTo("Read");
        var current = good("GET", "/api/agents/metrics/current", "", 200);
        assertThat(current.get("agent_type_breakdown").findValuesAsString("type"))
                .contains("analyzer");
    }
}
