package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Eventually;
import dev.coppice.schema.JsonSchemas;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tools that the originals had for agents, and those that exist for agents only. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class McpAgentToolsTest {
    private final Caller server = WithMcp.caller();
    private final JsonSchemas schemas = new JsonSchemas();
    private final Map<String, JsonNode> outputs = new HashMap<>();
    private int names;

    @AfterAll
    void stop() {
        server.close();
    }

    private McpPeer agent(String session, String capabilities) {
        var caller = dev.coppice.access.Caller.agent(new SessionId(session));
        return McpPeer.withSession(server, server.coordinator().token(caller), capabilities);
    }

    private McpPeer admin() {
        return McpPeer.withSession(server, server.token(), "{}");
    }

    private String session(String parent) {
        var id = "agent" + names++;
        var body = Json.object().put("session_id", id).put("session_name", id);
        if (!parent.isEmpty()) body.put("parent_session_id", parent);
        server.post("/sessions", body.toString());
        server.post("/sessions/" + id + "/bind", "{\"executor_session_id\":\"own-" + id + "\"}");
        return id;
    }

    private void end(String session) {
        server.post("/sessions/" + session + "/stop", "{}");
    }

    /** Calls a tool, whose result must fit its schema. */
    private JsonNode done(McpPeer peer, String tool, String arguments) {
        var result = peer.tool(tool, arguments);
        assertThat(result.get("isError").asBoolean()).as(result.toString()).isFalse();
        if (outputs.isEmpty()) {
            for (var listed : peer.post("tools/list", "{}").result().get("tools")) {
                outputs.put(String.valueOf(text(listed, "name")), listed.path("outputSchema"));
            }
        }
        var value = result.get("structuredContent");
        var schema = new JsonText(String.valueOf(outputs.get(tool)));
        assertThat(schemas.violations(schema, value)).as(value.toString()).isEmpty();
        return value;
    }

    @Test
    void an_agent_of_a_session_is_created_given_work_and_deleted() {
        var top = session("");
        var peer = admin();
        var created =
                done(
                        peer,
                        "create_agent",
                        "{\"session_id\":\"%s\",\"agent_name\":\"Agent_1\",\"specialization\":\"scripted\"}"
                                .formatted(top));
        var agent = text(created.get("session"), "session_id");
        assertThat(text(created.get("session"), "parent_session_id")).isEqualTo(top);
        var begun =
                done(
                        peer,
                        "start_new_agent_conversation",
                        "{\"agent_name\":\"Agent_1\",\"prompt\":\"say"
                                + " hi\",\"mode\":\"async_poll\"}");
        assertThat(text(begun, "session_id")).isEqualTo(agent);
        end(agent);
        var deleted =
                done(
                        peer,
                        "delete_agent",
                        McpPeer.confirmed(server, "{\"agent_name\":\"Agent_1\"}"));
        assertThat(text(deleted, "session_id")).isEqualTo(agent);
        var wrong = peer.tool("delete_agent", "{\"session_name\":\"Agent_1\"}");
        assertThat(wrong.toString()).contains("agent_id", "agent_name");
        end(top);
    }

    @Test
    void an_agent_is_created_below_the_caller_unless_a_session_is_named() {
        var top = session("");
        var created = done(agent(top, "{}"), "create_agent", "{\"agent_name\":\"Agent_2\"}");
        assertThat(text(created.get("session"), "parent_session_id")).isEqualTo(top);
        var orphan = admin().tool("create_agent", "{\"agent_name\":\"Agent_3\"}");
        assertThat(orphan.get("isError").asBoolean()).isTrue();
        assertThat(orphan.toString()).contains("session_id");
        end(top);
    }

    @Test
    void the_status_of_a_session_includes_its_agents_if_asked() {
        var top = session("");
        var kid = session(top);
        var asked = Json.object().put("session_name", top);
        var whole = done(admin(), "get_session_status", asked.toString());
        assertThat(text(whole.get("health"), "session_id")).isEqualTo(top);
        assertThat(whole.has("agents")).isFalse();
        asked.put("include_agents", true);
        var agents = done(admin(), "get_session_status", asked.toString()).get("agents");
        assertThat(agents.valueStream().map(a -> text(a, "session_id"))).containsExactly(kid);
        end(kid);
        end(top);
    }

    @Test
    void an_agent_is_offered_what_its_role_may_use() {
        var top = session("");
        assertThat(tools(admin())).contains("get_audit", "restore_session", "delete_session");
        assertThat(tools(agent(top, "{}")))
                .contains("delete_session", "undo_removal")
                .doesNotContain("get_audit", "restore_session");
        end(top);
    }

    private static List<String> tools(McpPeer peer) {
        return peer.post("tools/list", "{}")
                .result()
                .get("tools")
                .valueStream()
                .map(tool -> String.valueOf(text(tool, "name")))
                .toList();
    }

    @Test
    void a_conversation_is_forgotten_only_while_nothing_runs() {
        var session = session("");
        var peer = admin();
        var running =
                peer.tool("clear_agent_conversation", "{\"agent_name\":\"%s\"}".formatted(session));
        assertThat(running.get("isError").asBoolean()).isTrue();
        end(session);
        var cleared =
                done(peer, "clear_agent_conversation", "{\"agent_id\":\"%s\"}".formatted(session));
        assertThat(cleared.get("session").get("executor_session_id").isNull()).isTrue();
    }

    /** A start that is refused must not cost the conversation. */
    @Test
    void a_afresh_that_cannot_begin_leaves_the_old_one() {
        var session = session("");
        end(session);
        var peer = admin();
        for (var mode : List.of("nonsense", "async_poll")) {
            peer.tool(
                    "start_new_agent_conversation",
                    "{\"agent_name\":\"%s\",\"prompt\":\"x\",\"mode\":\"%s\"}"
                            .formatted(session, mode));
            var own = server.get("/sessions/" + session).get("session").get("executor_session_id");
            assertThat(own.isNull()).as(mode).isEqualTo(mode.equals("async_poll"));
        }
        end(session);
    }

    @Test
    void answers_and_arguments_of_the_wrong_shape_are_no_failure_of_the_server() {
        var session = session("");
        var caller = dev.coppice.access.Caller.agent(new SessionId(session));
        var token = server.coordinator().token(caller);
        var peer = McpPeer.stateless(server, token, "{\"elicitation\":{}}");
        var call = McpPeer.call("ask_human", "{\"question\":\"Which?\"}");
        var answer = call.putObject("inputResponses").putObject("answer").put("action", "accept");
        answer.putObject("content").putObject("answer");
        var asked = peer.post("tools/call", call);
        assertThat(asked.status()).isEqualTo(200);
        assertThat(asked.result().get("isError").asBoolean()).isFalse();
        var tagged = peer.adding("X-Agent-Tags", "a");
        var listed =
                tagged.post("tools/call", McpPeer.call("list_agent_blueprints", "{\"tags\":[{}]}"));
        assertThat(listed.status()).isEqualTo(200);
        end(session);
    }

    @Test
    void an_agent_deletes_all_below_it_and_nothing_else() {
        var top = session("");
        var self = session(top);
        var kid = session(self);
        var busy = session(self);
        var stranger = session(top);
        end(kid);
        var peer = agent(self, "{}");
        var done = done(peer, "delete_all_agent_sessions", "{}");
        assertThat(done.get("deleted_count").asInt()).isOne();
        assertThat(text(done.get("refused").get(0), "session_id")).isEqualTo(busy);
        Eventually.await(
                () -> server.client().get("/sessions/" + kid).status() == 410,
                () -> "the child is not deleted");
        assertThat(server.client().get("/sessions/" + stranger).status()).isEqualTo(200);
        var forced =
                done(peer, "delete_all_agent_sessions", "{\"force\":true,\"reason\":\"done\"}");
        assertThat(forced.get("deleted_count").asInt()).isOne();
        // A caller that is no agent says for which session it speaks, or is refused.
        var refused = admin().tool("delete_all_agent_sessions", "{}");
        assertThat(refused.toString()).contains("X-Agent-Session-Id");
        var named = admin().adding("X-Agent-Session-Name", self);
        done(named, "delete_all_agent_sessions", "{}");
        done(named, "report_progress", "{\"event\":{\"event_type\":\"progress\"}}");
        for (var id : new String[] {stranger, self, top}) end(id);
    }

    @Test
    void a_question_reaches_the_user_of_the_client_or_those_who_watch() {
        var session = session("");
        var asking = agent(session, "{}");
        var open = done(asking, "ask_human", "{\"question\":\"Which branch?\"}");
        assertThat(open.get("answer").isNull()).isTrue();
        assertThat(text(server.get("/sessions/" + session + "/health").get("health"), "attention"))
                .isEqualTo("asks");
        var peer = agent(session, "{\"elicitation\":{\"form\":{}}}");
        var call = McpPeer.call("ask_human", "{\"question\":\"Which branch?\"}");
        try (var stream = peer.open("tools/call", call)) {
            var asked = stream.next("elicitation/create");
            peer.tell(
                    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"accept\",\"content\":{\"answer\":\"main\"}}}"
                            .formatted(asked.get("id")));
            var answer = stream.answer().get("result").get("structuredContent");
            assertThat(text(answer, "answer")).isEqualTo("main");
        }
        end(session);
    }

    @Test
    void an_agent_is_not_asked_even_if_its_client_has_forms() {
        var session = session("");
        var kid = session(session);
        end(kid);
        var peer = agent(session, "{\"elicitation\":{\"form\":{}}}");
        var delete = Json.object().put("session_id", kid);
        assertThat(done(peer, "delete_session", delete.toString()).get("success").asBoolean())
                .isTrue();
        end(session);
    }

    @Test
    void orphans_are_listed_while_they_live() {
        var top = session("");
        var kid = "orphan" + names++;
        server.post(
                "/sessions",
                "{\"session_id\":\"%s\",\"parent_session_id\":\"%s\",\"on_parent_end\":\"abandon\"}"
                        .formatted(kid, top));
        end(top);
        var peer = admin();
        Eventually.await(
                () -> orphans(peer).contains("\"" + kid + "\""),
                () -> "not listed: " + orphans(peer));
        assertThat(orphans(peer)).doesNotContain("\"session_id\":\"" + top + "\"");
        end(kid);
        assertThat(orphans(peer)).doesNotContain("\"" + kid + "\"");
    }

    private String orphans(McpPeer peer) {
        return done(peer, "list_orphans", "{}").get("sessions").toString();
    }

    @Test
    void preserved_work_comes_with_the_command_that_restores_it() {
        try (var runner = new WorkingRunner(server, "restoring")) {
            var name = runner.worked();
            var peer = admin();
            var removal =
                    text(
                            done(
                                    peer,
                                    "delete_session",
                                    McpPeer.confirmed(
                                            server, "{\"session_id\":\"%s\"}".formatted(name))),
                            "removal_id");
            var work =
                    done(peer, "restore_work", "{\"removal_id\":\"%s\"}".formatted(removal))
                            .get("work");
            assertThat(text(work.get(0), "command"))
                    .isEqualTo("coppice work restore %s --number 1 --into DIR".formatted(removal));
        }
    }

    /** The original's tool waits by default; a program that started children so had no result. */
    @Test
    void a_start_in_the_default_mode_answers_with_the_result() {
        var registered =
                server.post(
                        "/runner/register",
                        "{\"hostname\":\"sync\",\"project_dir\":\"/\",\"executor_profile\":\"sync\",\"protocol\":\"coppice/1\",\"holds\":[]}");
        var runner = String.valueOf(text(registered, "runner_id"));
        var arguments = Json.object().put("prompt", "x");
        arguments.putObject("additional_demands").put("executor_profile", "sync");
        var call = McpPeer.call("start_agent_session", arguments.toString());
        try (var stream = admin().open("tools/call", call)) {
            finish(runner, "found");
            var value = stream.answer().get("result").get("structuredContent");
            assertThat(text(value, "result_text")).isEqualTo("found");
            assertThat(value.has("result_data")).isTrue();
            assertThat(text(value, "state")).isEqualTo("finished");
            assertThat(text(value, "session_id")).isNotBlank();
        }
        var bounded = arguments.deepCopy().put("wait", "1s").toString();
        var unfinished = admin().tool("start_agent_session", bounded);
        assertThat(unfinished.get("isError").asBoolean()).isFalse();
        assertThat(unfinished.get("content").toString()).contains("wait_for_sessions waits on");
        var polled = arguments.put("mode", "async_poll").toString();
        var begun = done(admin(), "start_agent_session", polled);
        assertThat(text(begun, "status")).isEqualTo("pending");
        end(String.valueOf(text(unfinished.get("structuredContent"), "session_id")));
        end(String.valueOf(text(begun, "session_id")));
    }

    private void finish(String runner, String result) {
        var claim = new JsonNode[1];
        Eventually.await(
                () -> {
                    claim[0] = server.get("/runner/runs?runner_id=" + runner).get("run");
                    return claim[0] != null && !claim[0].isNull();
                },
                () -> "nothing to claim");
        var report =
                Json.object()
                        .put("runner_id", runner)
                        .put("fence", claim[0].get("fence").asLong())
                        .put("result_text", result);
        var path = "/runner/runs/" + text(claim[0], "run_id") + "/";
        server.post(path + "started", report.toString());
        server.post(path + "completed", report.toString());
    }

    @Test
    void headers_confine_the_blueprints_and_add_demands() {
        server.post(
                "/agents",
                "{\"name\":\"inside\",\"description\":\"x\",\"command\":[\"true\"],\"tags\":[\"internal\"]}");
        var peer =
                admin().adding(
                                "X-Agent-Tags",
                                "internal",
                                "X-Additional-Demands",
                                "{\"tags\":[\"gpu\"]}");
        var listed = peer.tool("list_agent_blueprints", "{}").get("structuredContent").get("items");
        assertThat(listed.valueStream().map(b -> text(b, "name"))).containsExactly("inside");
        var run = done(peer, "start_agent_session", "{\"prompt\":\"x\",\"mode\":\"async_poll\"}");
        var shown = server.get("/runs/" + text(run, "run_id")).toString();
        assertThat(shown).contains("gpu");
        var members = "{\"name\":\"w\",\"members\":[{\"name\":\"a\",\"prompt\":\"x\"}]}";
        var wave = done(peer, "start_wave", members);
        var path = "/waves/" + text(wave, "wave_id");
        Eventually.await(
                () -> {
                    var session = text(server.get(path).get("members").get(0), "session_id");
                    var runs = "/runs?session_id=" + session;
                    return session != null && server.get(runs).toString().contains("gpu");
                },
                () -> server.get(path).toString());
        server.post(path + "/stop", "{}");
        end(String.valueOf(text(run, "session_id")));
    }
}
