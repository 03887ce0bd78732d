package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Children that Coppice starts tell other programs why they are children, like those of hooks. */
class ExplainedChildrenTest {
    private static final dev.coppice.access.Caller PLAN =
            dev.coppice.access.Caller.agent(new SessionId("plan"));
    private final Caller server = WithMcp.caller();

    @BeforeEach
    void plan() {
        server.post("/sessions", "{\"session_id\":\"plan\",\"session_name\":\"plan\"}");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void start(String session, String more) {
        server.post(
                "/runs",
                "{\"session_id\":\"%s\",\"prompt\":\"x\",\"parent_session_id\":\"plan\",%s}"
                        .formatted(session, more));
    }

    private List<String> rows(String columns) {
        try (var connection = server.database();
                var statement = connection.createStatement();
                var rows =
                        statement.executeQuery(
                                "select %s from session_relationships order by id"
                                        .formatted(columns))) {
            var found = new ArrayList<String>();
            while (rows.next()) found.add(String.valueOf(rows.getString(1)));
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> pairs() {
        return rows(
                "child_session_id || ' ' || relationship_type || ' ' ||"
                        + " coalesce(spawn_reason, '-') || ' ' || coalesce(delegation_type, '-')"
                        + " || ' ' || coalesce(spawn_metadata, '-')");
    }

    @Test
    void a_child_says_who_started_it_how_and_whether_its_parent_waits() {
        server.post("/sessions", "{\"session_id\":\"bare\",\"parent_session_id\":\"plan\"}");
        start("waited", "\"execution_mode\":\"sync\"");
        start("alone", "\"execution_mode\":\"sync\",\"session_type\":\"isolated\"");
        var own =
                Json.object()
                        .put("session_id", "own")
                        .put("prompt", "x")
                        .put("execution_mode", "async_callback");
        assertThat(server.as(PLAN).post("/runs", own).isGood()).isTrue();
        assertThat(pairs())
                .containsExactly(
                        "bare parent/child manual isolated"
                                + " {\"face\":\"rest\",\"caller\":\"admin\"}",
                        "waited parent/child manual sequential"
                            + " {\"face\":\"rest\",\"caller\":\"admin\",\"execution_mode\":\"sync\"}",
                        "alone parent/child manual isolated"
                            + " {\"face\":\"rest\",\"caller\":\"admin\",\"execution_mode\":\"sync\"}",
                        "own parent/child subagent_delegation parallel"
                            + " {\"face\":\"rest\",\"caller\":\"agent\",\"caller_session_id\":\"plan\","
                            + "\"execution_mode\":\"async_callback\"}");
    }

    @Test
    void a_child_of_a_tool_call_says_so() {
        var peer = McpPeer.withSession(server, server.coordinator().token(PLAN), "{}");
        var result = peer.tool("start_agent_session", "{\"prompt\":\"x\",\"mode\":\"async_poll\"}");
        assertThat(result.get("isError").asBoolean()).as(result.toString()).isFalse();
        assertThat(rows("spawn_reason || ' ' || delegation_type || ' ' || spawn_metadata"))
                .containsExactly(
                        "task_tool parallel {\"face\":\"mcp\",\"caller\":\"agent\","
                            + "\"caller_session_id\":\"plan\",\"execution_mode\":\"async_poll\"}");
    }

    @Test
    void members_of_waves_and_continuations_keep_their_reasons() {
        server.post(
                "/sessions",
                "{\"session_id\":\"next\",\"session_type\":\"continuation\","
                        + "\"parent_session_id\":\"plan\"}");
        server.post(
                "/waves",
                "{\"parent_session_id\":\"plan\",\"members\":[{\"name\":\"a\",\"prompt\":\"x\"}]}");
        Eventually.await(() -> pairs().size() == 2, () -> "pairs: " + pairs());
        assertThat(rows("relationship_type || ' ' || spawn_reason || ' ' || delegation_type"))
                .containsExactly(
                        "continuation continuation isolated",
                        "wave_member wave_orchestration parallel");
        assertThat(rows("spawn_metadata"))
                .containsExactly(
                        "{\"face\":\"rest\",\"caller\":\"admin\"}",
                        "{\"face\":\"wave\",\"caller\":\"coordinator\","
                                + "\"execution_mode\":\"async_poll\"}");
    }

    @Test
    void joined_children_run_in_parallel() {
        start("one", "\"execution_mode\":\"sync\"");
        start("two", "\"execution_mode\":\"sync\"");
        server.post("/sessions/plan/joins", "{\"children\":[\"one\"]}");
        assertThat(rows("child_session_id || ' ' || delegation_type"))
                .containsExactly("one parallel", "two sequential");
    }

    @Test
    void a_root_that_is_attached_says_who_attached_it() {
        server.post("/sessions", "{\"session_id\":\"stray\",\"session_name\":\"stray\"}");
        server.post("/sessions/stray/attach", "{\"parent_session_id\":\"plan\"}");
        assertThat(pairs())
                .containsExactly(
                        "stray parent/child manual isolated"
                                + " {\"face\":\"rest\",\"caller\":\"admin\"}");
    }

    @Test
    void a_backup_holds_what_a_child_says() {
        start("waited", "\"execution_mode\":\"sync\"");
        var file = text(server.post("/sessions/plan/backup", "{}"), "file");
        var copy = "{\"file\":\"%s\",\"new_ids\":true,\"rename\":true}".formatted(file);
        var begun = server.post("/restores", copy);
        var ended = server.get("/removals/" + text(begun, "removal_id") + "?wait=20s");
        assertThat(text(ended, "state")).isEqualTo("undone");
        assertThat(
                        rows(
                                "case when relationship_type = 'continuation' then 'copy' else"
                                        + " spawn_reason || ' ' || delegation_type || ' ' ||"
                                        + " json_extract(spawn_metadata, '$.face') end"))
                .containsExactlyInAnyOrder(
                        "manual sequential rest", "manual sequential rest", "copy");
    }
}
