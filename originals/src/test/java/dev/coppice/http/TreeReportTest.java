package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The reports over a tree: plan has draft and build, and build has check. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TreeReportTest {
    private final Caller server = Product.caller();

    @BeforeAll
    void grow() throws SQLException {
        session("plan", "");
        session("draft", "plan");
        session("build", "plan");
        session("check", "build");
        session("other", "");
        for (var name : List.of("plan", "draft", "build", "check", "other")) {
            server.post("/sessions/" + name + "/events", "{\"event_type\":\"PreToolUse\"}");
        }
        try (var database = server.database();
                var statement = database.createStatement()) {
            statement.executeUpdate(
                    "update event set wave = 'w1' where type = '*PreToolUse'"
                            + " and session_id in ('draft', 'build')");
        }
    }

    @AfterAll
    void close() {
        server.close();
    }

    private void session(String name, String parent) {
        var above = parent.isEmpty() ? "" : ",\"parent_session_id\":\"%s\"".formatted(parent);
        server.post(
                "/sessions",
                "{\"session_id\":\"%s\",\"session_name\":\"%s\"%s}".formatted(name, name, above));
    }

    /** The values of a column. */
    private static List<String> column(JsonNode table, String column) {
        var values = new ArrayList<String>();
        for (var row : table.get("rows")) values.add(row.get(column).asString("null"));
        return values;
    }

    @Test
    void children_are_all_below_depth_first() {
        var table = server.get("/reports/children?session_id=plan");
        assertThat(column(table, "session_path"))
                .containsExactly("plan.draft", "plan.build", "plan.build.check");
        assertThat(column(table, "parent_session_id")).containsExactly("plan", "plan", "build");
        assertThat(column(table, "status")).containsOnly("active");
        var shallow = server.get("/reports/children?session_id=plan&max_depth=1");
        assertThat(column(shallow, "child_session_id")).containsExactly("draft", "build");
        var deeper = server.get("/reports/children?session_id=build&max_depth=1");
        assertThat(column(deeper, "child_session_id")).containsExactly("check");
    }

    @Test
    void the_timeline_shows_each_event_once_with_its_relationship() {
        var table = server.get("/reports/timeline?session_id=plan&limit=1000");
        var reported = new TreeMap<String, String>();
        for (var row : table.get("rows")) {
            if (!"PreToolUse".equals(text(row, "hook_event_type"))) continue;
            reported.put(
                    String.valueOf(text(row, "session_id")),
                    row.get("session_depth").asInt()
                            + " "
                            + text(row, "parent_session_id")
                            + " "
                            + text(row, "relationship_type"));
        }
        assertThat(reported)
                .isEqualTo(
                        Map.of(
                                "plan", "0 null null",
                                "draft", "1 plan parent/child",
                                "build", "1 plan parent/child",
                                "check", "2 build parent/child"));
        assertThat(server.get("/reports/timeline?from=0&until=1").get("rows").isEmpty()).isTrue();
    }

    /** A page of one row is read through the index by time, a large one through the sessions. */
    @Test
    void both_ways_to_read_a_timeline_give_the_same_rows() {
        for (var top : List.of("plan", "build")) {
            var all = server.get("/reports/timeline?limit=1000&session_id=" + top).get("rows");
            var single = new ArrayList<JsonNode>();
            var path = "/reports/timeline?limit=1&session_id=" + top;
            var page = server.get(path);
            page.get("rows").forEach(single::add);
            while (text(page, "next") != null) {
                page = server.get(path + "&after=" + text(page, "next"));
                page.get("rows").forEach(single::add);
            }
            assertThat(single).as(top).hasSizeGreaterThan(1).isEqualTo(all.valueStream().toList());
        }
    }

    @Test
    void pages_of_every_report_together_are_the_whole() {
        for (var report : List.of("children", "timeline", "performance", "spawn_delays", "waves")) {
            var whole = server.get("/reports/" + report + "?limit=1000").get("rows");
            assertThat(whole.isEmpty()).as(report).isFalse();
            var paged = new ArrayList<JsonNode>();
            var next = "";
            while (next != null) {
                var page = server.get("/reports/%s?limit=1&after=%s".formatted(report, next));
                page.get("rows").forEach(paged::add);
                next = text(page, "next");
            }
            assertThat(paged).as(report).containsExactlyElementsOf(whole);
        }
    }

    @Test
    void rows_have_the_columns_that_the_report_names() {
        for (var report :
                List.of(
                        "children",
                        "timeline",
                        "waves",
                        "performance",
                        "spawn_delays",
                        "relationships")) {
            var table = server.get("/reports/" + report);
            var named = new ArrayList<String>();
            table.get("columns").forEach(c -> named.add(c.asString()));
            for (var row : table.get("rows")) {
                assertThat(row.propertyNames()).as(report).containsExactlyElementsOf(named);
            }
        }
    }

    @Test
    void waves_performance_and_relationships() {
        var wave = server.get("/reports/waves").get("rows").get(0);
        assertThat(text(wave, "wave_id")).isEqualTo("w1");
        assertThat(wave.get("wave_sessions").asInt()).isEqualTo(2);
        assertThat(wave.get("total_events").asInt()).isEqualTo(2);
        var performance = server.get("/reports/performance?session_id=build");
        assertThat(column(performance, "session_id")).containsExactly("build", "check");
        assertThat(column(performance, "agent_count")).containsExactly("1", "0");
        assertThat(column(performance, "event_count")).containsExactly("2", "2");
        var delays = server.get("/reports/spawn_delays?session_id=build");
        assertThat(column(delays, "child_id")).containsExactly("build", "check");
        var pairs = server.get("/reports/relationships?session_id=plan").get("rows").get(0);
        assertThat(pairs.get("relationships").asInt()).isEqualTo(3);
        assertThat(pairs.get("deepest_level").asInt()).isEqualTo(2);
    }

    @Test
    void an_agent_sees_its_own_tree_only() {
        var agent = server.as(dev.coppice.access.Caller.agent(new SessionId("build")));
        var table = agent.get("/reports/performance").body();
        assertThat(column(table, "session_id")).containsExactly("build", "check");
        assertThat(agent.get("/reports/performance?session_id=plan").status()).isEqualTo(404);
        assertThat(column(agent.get("/reports/children").body(), "child_session_id"))
                .containsExactly("check");
    }

    @Test
    void what_is_wrong_is_named() {
        for (var bad :
                List.of(
                        "/reports/none",
                        "/reports/timeline?after=x",
                        "/reports/timeline?after=1",
                        "/reports/children?after=x",
                        "/reports/waves?after=%00",
                        "/reports/waves?from=-1")) {
            var answer = server.client().get(bad);
            assertThat(answer.status()).as(bad).isEqualTo(400);
            assertThat(answer.advice()).as(bad).isNotBlank();
        }
    }
}
