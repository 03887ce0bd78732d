package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/** The testing checklist of the fourth seed, with real processes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ParentContextTest {
    private final Machine machine = new Machine();

    @BeforeAll
    void start() {
        machine.up();
        machine.post("/agents", "{\"name\":\"sh\",\"kind\":\"command\",\"command\":[\"bash\"]}");
    }

    @AfterAll
    void stop() {
        machine.close();
    }

    private JsonNode session(String name) {
        return machine.get("/sessions/by-name/" + name).get("session");
    }

    @Test
    void a_session_started_from_outside_has_no_parent() {
        machine.run("start", "alone", "-p", "say hi");
        assertThat(session("alone").get("parent_session_name").isNull()).isTrue();
        assertThat(session("alone").get("parent_session_id").isNull()).isTrue();
    }

    @Test
    void a_child_started_by_a_running_agent_has_that_agent_as_parent() {
        machine.run("start", "mother", "-p", "spawn daughter\n  say hi\nwait all");
        assertThat(Json.text(session("daughter"), "parent_session_name")).isEqualTo("mother");
        assertThat(Json.text(session("daughter"), "parent_session_id"))
                .isEqualTo(Json.text(session("mother"), "session_id"));
    }

    @Test
    void the_sessions_api_takes_and_returns_the_parents_name() {
        machine.post(
                "/sessions",
                "{\"session_id\":\"api-p\",\"session_name\":\"api-parent\",\"project_dir\":\"/tmp\"}");
        var made =
                machine.post(
                        "/sessions",
                        "{\"session_id\":\"api-c\",\"session_name\":\"api-child\",\"project_dir\":\"/tmp\",\"parent_session_name\":\"api-parent\"}");
        assertThat(Json.text(made.get("session"), "parent_session_name")).isEqualTo("api-parent");
        assertThat(Json.text(machine.get("/sessions/api-c").get("session"), "parent_session_name"))
                .isEqualTo("api-parent");
        var listed = machine.get("/sessions?name=api-child").get("sessions").get(0);
        assertThat(Json.text(listed, "parent_session_name")).isEqualTo("api-parent");
    }

    /** The file of servers is what an agent program reads; its headers name the session. */
    @Test
    void an_agent_finds_its_mcp_servers_in_a_file() {
        machine.post(
                "/mcp-servers",
                """
                {"id": "orchestrator", "name": "Coppice under another name",
                 "url": "${runner.orchestrator_mcp_url}",
                 "default_config": {"X-Agent-Session-Id": "${runtime.session_id}"}}
                """);
        machine.post(
                "/agents",
                """
                {"name": "servers", "kind": "command",
                 "command": ["sh", "-c", "cat $1", "sh",
                             "${runner.mcp_config}"],
                 "mcp_servers": {
                   "coppice": {},
                   "known": {"ref": "orchestrator"},
                   "docs": {"type": "http", "url": "http://127.0.0.1:9/${AGENT_SESSION_ID}",
                            "headers": {"X-Agent-Session-Name": "${AGENT_SESSION_NAME}",
                                        "X-Topic": "${params.topic}"}}},
                 "parameters_schema": {"type": "object"}}
                """);
        var run =
                machine.post(
                        "/runs?wait=30s",
                        """
                        {"agent_name": "servers", "session_name": "served",
                         "parameters": {"prompt": "x", "topic": "${runner.mcp_config} & $HOME"}}
                        """);
        var result = machine.get("/sessions/%s/result".formatted(Json.text(run, "session_id")));
        var servers = result.get("result_data").get("mcpServers");
        var docs = servers.get("docs");
        assertThat(Json.text(docs.get("headers"), "X-Agent-Session-Name")).isEqualTo("served");
        assertThat(Json.text(docs.get("headers"), "X-Topic"))
                .isEqualTo("${runner.mcp_config} & $HOME");
        assertThat(Json.text(docs, "url")).endsWith("/" + Json.text(run, "session_id"));
        var ours = servers.get("coppice");
        assertThat(Json.text(ours, "url")).endsWith("/mcp");
        assertThat(Json.text(ours.get("headers"), "Authorization")).startsWith("Bearer agent.");
        var known = servers.get("known");
        assertThat(known.get("url")).isEqualTo(ours.get("url"));
        assertThat(Json.text(known.get("headers"), "Authorization"))
                .isEqualTo(Json.text(ours.get("headers"), "Authorization"));
        assertThat(Json.text(known.get("headers"), "X-Agent-Session-Id"))
                .isEqualTo(Json.text(run, "session_id"));
    }

    /** Every level starts the next one by the command line in a shell, as real agents do. */
    @Test
    void three_levels_each_know_their_parent() {
        var script =
                """
                echo top is $AGENT_SESSION_NAME
                coppice start level1 --agent sh -p '
                  echo middle is $AGENT_SESSION_NAME
                  ao-start level2 --agent sh -p "echo leaf is \\$AGENT_SESSION_NAME below \\$AGENT_PARENT_SESSION_NAME"
                '
                """;
        var output = machine.run("start", "level0", "--agent", "sh", "-p", script);
        assertThat(output)
                .contains("top is level0", "middle is level1", "leaf is level2 below level1");
        assertThat(Json.text(session("level2"), "path")).isEqualTo("level0.level1.level2");
        assertThat(session("level2").get("depth").asInt()).isEqualTo(2);
        assertThat(Json.text(session("level1"), "parent_session_name")).isEqualTo("level0");
        assertThat(machine.run("tree", "level0")).contains("└─ level1", "   └─ level2");
    }

    @Test
    void the_http_header_names_the_parent_and_the_body_overrides_it() {
        machine.post("/sessions", "{\"session_name\":\"by-header\"}");
        machine.post("/sessions", "{\"session_name\":\"by-body\"}");
        var inherited =
                machine.client()
                        .call(
                                "POST",
                                "/sessions",
                                Json.read("{\"session_name\":\"h1\"}"),
                                Map.of("X-Agent-Session-Name", "by-header"));
        assertThat(Json.text(inherited.body().get("session"), "parent_session_name"))
                .isEqualTo("by-header");
        var explicit =
                machine.client()
                        .call(
                                "POST",
                                "/sessions",
                                Json.read(
                                        "{\"session_name\":\"h2\",\"parent_session_name\":\"by-body\"}"),
                                Map.of("X-Agent-Session-Name", "by-header"));
        assertThat(Json.text(explicit.body().get("session"), "parent_session_name"))
                .isEqualTo("by-body");
        var unknown =
                machine.client()
                        .call(
                                "POST",
                                "/sessions",
                                Json.read("{\"session_name\":\"h3\"}"),
                                Map.of("X-Agent-Session-Name", "nobody"));
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(Json.text(unknown.body(), "code")).isEqualTo("parent_unknown");
    }

    @Test
    void placeholders_of_a_blueprint_are_filled_in_and_unknown_ones_refused() {
        machine.post(
                "/agents",
                "{\"name\":\"named\",\"kind\":\"command\",\"command\":[\"sh\",\"-c\",\"echo"
                    + " ${AGENT_SESSION_NAME} ${runtime.session_id} ${params.topic}"
                    + " $${HOME}\"],\"parameters_schema\":{\"type\":\"object\",\"required\":[\"topic\"]}}");
        var run =
                machine.post(
                        "/runs",
                        "{\"type\":\"start_session\",\"session_id\":\"ph-1\",\"session_name\":\"ph\",\"agent_name\":\"named\",\"parameters\":{\"topic\":\"oak\"}}");
        var ended = machine.get("/runs/" + Json.text(run, "run_id") + "?wait=30s");
        assertThat(Json.text(ended, "result_text")).startsWith("ph ph-1 oak /");
        machine.post(
                "/agents",
                "{\"name\":\"lost\",\"kind\":\"command\",\"command\":[\"echo\",\"${env.NOT_ALLOWED}\"]}");
        var refused =
                machine.client()
                        .post("/runs", Json.read("{\"agent_name\":\"lost\",\"prompt\":\"x\"}"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.error()).contains("${env.NOT_ALLOWED}");
        var invalid =
                machine.client()
                        .post("/runs", Json.read("{\"agent_name\":\"named\",\"parameters\":{}}"));
        assertThat(Json.text(invalid.body().get("detail"), "error"))
                .isEqualTo("parameter_validation_failed");
    }

    @Test
    void scope_is_passed_to_children_but_not_put_into_the_prompt() {
        machine.post(
                "/agents",
                "{\"name\":\"scoped\",\"kind\":\"command\",\"command\":[\"bash\"],\"env\":{\"TICKET\":\"${scope.ticket}\"}}");
        var run =
                machine.post(
                        "/runs",
                        "{\"session_name\":\"sc\",\"agent_name\":\"scoped\",\"prompt\":\"echo"
                                + " $TICKET; coppice start sc2 --agent scoped -p 'echo child"
                                + " $TICKET'\",\"scope\":{\"ticket\":\"T-1\"}}");
        var ended = machine.get("/runs/" + Json.text(run, "run_id") + "?wait=30s");
        assertThat(Json.text(ended, "result_text")).isEqualTo("T-1\nchild T-1\n");
    }
}
