package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Role;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Eventually;
import dev.coppice.schema.JsonSchemas;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The deletion tool as clients of both eras of the protocol call it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class McpTest {
    /** The messages of the last call of {@link #progress}. */
    private final List<String> messages = new ArrayList<>();

    private static final String META = "io.modelcontextprotocol/";
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Caller server = WithMcp.caller();
    private final JsonSchemas schemas = new JsonSchemas();
    private final Map<String, Optional<JsonNode>> outputs = new HashMap<>();
    private int trees;

    @BeforeAll
    void ready() {
        server.get("/health");
    }

    @AfterEach
    void nothingIsLeft() {
        server.assertNothingIsLeft();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private record Said(int status, String body) {
        /** The only message, or the last one of a stream. */
        JsonNode json() {
            return body.startsWith("{") ? Json.read(body) : events().getLast();
        }

        JsonNode result() {
            assertThat(json().has("result")).as(body).isTrue();
            return json().get("result");
        }

        int error() {
            return json().get("error").get("code").asInt();
        }

        List<JsonNode> events() {
            return body.lines()
                    .filter(line -> line.startsWith("data: "))
                    .map(line -> Json.read(line.substring(6)))
                    .toList();
        }
    }

    private Said post(String token, String body, String... headers) {
        var request =
                HttpRequest.newBuilder(URI.create(server.coordinator().url() + "/mcp"))
                        .header("Accept", "application/json, text/event-stream")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body));
        if (!token.isEmpty()) request.header("Authorization", "Bearer " + token);
        for (int i = 0; i < headers.length; i += 2) request.header(headers[i], headers[i + 1]);
        try {
            var answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Said(answer.statusCode(), answer.body());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Said ask(String method, ObjectNode params, String... headers) {
        return post(server.token(), message(method, params).toString(), headers);
    }

    private static ObjectNode message(String method, ObjectNode params) {
        var message = Json.object().put("jsonrpc", "2.0").put("id", 7).put("method", method);
        message.set("params", params);
        return message;
    }

    /** Sends a request as a client of the later era does. */
    private Said stateless(String method, ObjectNode params, String... more) {
        var meta = params.putObject("_meta").put(META + "protocolVersion", "2026-07-28");
        meta.putObject(META + "clientCapabilities");
        var headers = new ArrayList<>(List.of(more));
        headers.addAll(List.of("MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method));
        return ask(method, params, headers.toArray(String[]::new));
    }

    private static ObjectNode calling(String tool, String arguments) {
        var params = Json.object().put("name", tool);
        params.set("arguments", Json.read(arguments));
        return params;
    }

    private JsonNode called(String tool, String arguments) {
        return fitting(tool, ask("tools/call", calling(tool, arguments)).result());
    }

    /**
     * Clients check structured content against the schema, and fail the call if it does not fit.
     */
    private JsonNode fitting(String tool, JsonNode result) {
        if (outputs.isEmpty()) {
            for (var listed : ask("tools/list", Json.object()).result().get("tools")) {
                outputs.put(
                        String.valueOf(text(listed, "name")),
                        Optional.ofNullable(listed.get("outputSchema")));
            }
        }
        var value = result.get("structuredContent");
        var schema = outputs.getOrDefault(tool, Optional.empty());
        if (value != null && schema.isPresent()) {
            assertThat(schemas.violations(new JsonText(schema.get().toString()), value))
                    .as(tool + " " + value)
                    .isEmpty();
        }
        return result;
    }

    private JsonNode done(String tool, String arguments) {
        var result = called(tool, arguments);
        assertThat(result.get("isError").asBoolean()).as(result.toString()).isFalse();
        return result.get("structuredContent");
    }

    private JsonNode deleted(String arguments) {
        return done("delete_session", McpPeer.confirmed(server, arguments));
    }

    private JsonNode refused(String tool, String arguments) {
        var result = called(tool, arguments);
        assertThat(result.get("isError").asBoolean()).as(result.toString()).isTrue();
        return result;
    }

    /** Creates a root with a child and a grandchild; returns its name. */
    private String alive() {
        var name = "mcp" + trees++;
        session(name, null);
        session(name + "-kid", name);
        session(name + "-leaf", name + "-kid");
        return name;
    }

    private String ended() {
        var name = alive();
        for (var s : List.of("-leaf", "-kid", "")) {
            server.post("/sessions/" + name + s + "/stop", "{}");
        }
        return name;
    }

    private void session(String id, @org.jspecify.annotations.Nullable String parent) {
        var body = Json.object().put("session_id", id).put("session_name", id);
        if (parent != null) body.put("parent_session_id", parent);
        server.post("/sessions", body.toString());
        // A session that is bound to a program is running.
        server.post("/sessions/" + id + "/bind", "{}");
    }

    private static String id(String session) {
        return Json.object().put("session_id", session).toString();
    }

    @ParameterizedTest
    @CsvSource({
        "2025-03-26, 2025-11-25",
        "2025-06-18, 2025-06-18",
        "2025-11-25, 2025-11-25",
        "2026-07-28, 2025-11-25",
        "1999-01-01, 2025-11-25"
    })
    void initialize_agrees_on_the_revision_of_the_client_or_on_the_latest(
            String asked, String agreed) {
        var result = ask("initialize", Json.object().put("protocolVersion", asked)).result();
        assertThat(text(result, "protocolVersion")).isEqualTo(agreed);
        assertThat(text(result.get("serverInfo"), "name")).isEqualTo("coppice");
        assertThat(result.get("capabilities").has("tools")).isTrue();
        var sent = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
        assertThat(post(server.token(), sent).status()).isEqualTo(202);
        assertThat(ask("ping", Json.object()).result().isEmpty()).isTrue();
    }

    @Test
    void a_client_of_the_later_era_sends_its_version_with_each_request() {
        var found = stateless("server/discover", Json.object()).result();
        assertThat(text(found, "resultType")).isEqualTo("complete");
        assertThat(found.get("supportedVersions").toString()).contains("2026-07-28", "2025-06-18");
        assertThat(found.get("_meta").has(META + "serverInfo")).isTrue();
        var listed = stateless("tools/list", Json.object()).result();
        assertThat(text(listed, "cacheScope")).isEqualTo("private");
        assertThat(listed.get("ttlMs").asLong()).isPositive();
        var name = ended();
        var called =
                stateless(
                        "tools/call",
                        calling("get_delete_plan", id(name)),
                        "Mcp-Name",
                        "=?base64?Z2V0X2RlbGV0ZV9wbGFu?=");
        assertThat(text(called.result(), "resultType")).isEqualTo("complete");
        assertThat(called.result().get("structuredContent").get("sessions").asInt()).isEqualTo(3);
    }

    @Test
    void headers_that_contradict_the_body_are_refused() {
        var params = calling("delete_session", id("nobody"));
        assertThat(stateless("tools/call", params, "Mcp-Name", "get_delete_plan"))
                .satisfies(s -> assertThat(s.status()).isEqualTo(400))
                .satisfies(s -> assertThat(s.error()).isEqualTo(-32020));
        assertThat(stateless("tools/call", calling("delete_session", "{}")).error())
                .isEqualTo(-32020);
        assertThat(ask("tools/list", Json.object(), "Mcp-Method", "tools/list").error())
                .isEqualTo(-32602);
        var meta = Json.object();
        meta.putObject("_meta")
                .put(META + "protocolVersion", "2031-01-01")
                .putObject(META + "clientCapabilities");
        var unsupported = ask("tools/list", meta, "MCP-Protocol-Version", "2031-01-01");
        assertThat(unsupported.status()).isEqualTo(400);
        assertThat(unsupported.error()).isEqualTo(-32022);
        assertThat(unsupported.body()).contains("\"supported\":[\"2026-07-28\"", "2031-01-01");
        assertThat(ask("ping", Json.object(), "MCP-Protocol-Version", "2001-01-01").status())
                .isEqualTo(400);
    }

    @Test
    void invalid_requests_are_answered_with_protocol_errors() {
        var token = server.token();
        assertThat(post(token, "{\"jsonrpc\":").error()).isEqualTo(-32700);
        assertThat(post(token, "[]").error()).isEqualTo(-32600);
        assertThat(post(token, "{\"id\":1,\"method\":\"ping\"}").error()).isEqualTo(-32600);
        var oddId = "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}";
        assertThat(post(token, oddId).error()).isEqualTo(-32600);
        assertThat(post("", message("ping", Json.object()).toString()).status()).isEqualTo(401);
        var foreign = message("ping", Json.object()).toString();
        assertThat(post(token, foreign, "Origin", "http://evil.example").status()).isEqualTo(403);
        assertThat(server.client().get("/mcp").status()).isEqualTo(405);
        assertThat(server.client().delete("/mcp").status()).isEqualTo(405);
        assertThat(ask("tasks/get", Json.object()))
                .satisfies(s -> assertThat(s.status()).isEqualTo(200))
                .satisfies(s -> assertThat(s.error()).isEqualTo(-32601));
        assertThat(stateless("subscriptions/listen", Json.object()))
                .satisfies(s -> assertThat(s.status()).isEqualTo(400))
                .satisfies(s -> assertThat(s.error()).isEqualTo(-32602));
        assertThat(stateless("ping", Json.object()))
                .satisfies(s -> assertThat(s.status()).isEqualTo(404))
                .satisfies(s -> assertThat(s.error()).isEqualTo(-32601));
        assertThat(ask("tools/call", calling("rm", "{}")).error()).isEqualTo(-32602);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":[],\"id\":1,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                        + "\"params\":{\"name\":{}}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
                        + "\"params\":{\"protocolVersion\":{}}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}"
            })
    void a_message_of_the_wrong_shape_is_a_protocol_error(String message) {
        var answer = post(server.token(), message);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).isIn(-32600, -32602);
    }

    @Test
    void a_truncated_header_is_a_header_mismatch() {
        var params = calling("delete_session", id("nobody"));
        assertThat(stateless("tools/call", params, "Mcp-Name", "=?base64?=").error())
                .isEqualTo(-32020);
    }

    /** A viewer may see the plan, which says that a viewer may not delete. */
    @Test
    void a_plan_lists_the_refusals_for_its_caller() {
        var name = ended();
        var tokens = server.coordinator().tokens();
        var message = message("tools/call", calling("get_delete_plan", id(name))).toString();
        var viewer = tokens.issue(dev.coppice.access.Caller.as(Role.VIEWER));
        var self = server.coordinator().token(dev.coppice.access.Caller.agent(new SessionId(name)));
        for (var token : List.of(viewer, self)) {
            var plan = post(token, message).result().get("structuredContent");
            assertThat(plan.get("allowed").asBoolean()).isFalse();
            assertThat(plan.get("refusals").toString()).contains("not_allowed");
        }
        var forced = "{\"session_id\":\"%s\",\"force\":true}".formatted(name);
        assertThat(done("get_delete_plan", forced).get("refusals")).isEmpty();
        assertThat(done("get_delete_plan", id(name)).get("allowed").asBoolean()).isTrue();
    }

    @Test
    void every_tool_describes_its_arguments_and_whether_it_is_destructive() {
        var tools = new ArrayList<String>();
        for (var tool : ask("tools/list", Json.object()).result().get("tools")) {
            tools.add(text(tool, "name"));
            var takes = tool.get("inputSchema");
            assertThat(text(takes, "type")).isEqualTo("object");
            assertThat(takes.get("additionalProperties").asBoolean()).isFalse();
            for (var field : takes.get("properties")) {
                assertThat(text(field, "description")).isNotBlank();
            }
        }
        assertThat(tools).startsWith("get_delete_plan", "delete_session", "undo_deletion");
        var delete = ask("tools/list", Json.object()).result().get("tools").get(1);
        assertThat(delete.get("annotations").get("destructiveHint").asBoolean()).isTrue();
        var takes = delete.get("inputSchema").get("properties");
        for (var flag : List.of("cleanup_agents", "preserve_work", "create_backup")) {
            assertThat(takes.get(flag).get("default").asBoolean()).as(flag).isTrue();
        }
        assertThat(takes.get("force").get("default").asBoolean()).isFalse();
    }

    /** Each schema can be resolved: its references are to its own definitions. */
    @Test
    void every_schema_of_a_tool_is_whole() {
        for (var tool : ask("tools/list", Json.object()).result().get("tools")) {
            for (var name : List.of("inputSchema", "outputSchema")) {
                var schema = tool.get(name);
                if (schema == null) continue;
                assertThat(text(schema, "type")).as(tool.toString()).isEqualTo("object");
                for (var required : schema.path("required")) {
                    assertThat(schema.get("properties").has(required.asString())).isTrue();
                }
                for (var reference : schema.findValuesAsString("$ref")) {
                    assertThat(reference).startsWith("#/$defs/");
                    var definition = reference.substring("#/$defs/".length());
                    assertThat(schema.path("$defs").has(definition)).as(reference).isTrue();
                }
            }
        }
    }

    @Test
    void an_agent_starts_children_and_looks_after_them() {
        var name = alive();
        var caller = dev.coppice.access.Caller.agent(new SessionId(name));
        var token = server.coordinator().token(caller);
        var started =
                asAgent(
                        token,
                        "start_agent_session",
                        "{\"session_name\":\"helper-%s\",\"prompt\":\"say hi\",\"mode\":\"async_poll\"}"
                                .formatted(name));
        var child = text(started, "session_id");
        var shown = server.get("/sessions/" + child).get("session");
        assertThat(text(shown, "parent_session_id")).isEqualTo(name);
        assertThat(text(asAgent(token, "get_agent_session_status", id(child)), "status"))
                .isEqualTo("pending");
        var children = asAgent(token, "list_children", id(name)).get("children");
        assertThat(children.valueStream().map(c -> text(c, "session_id"))).contains(child);
        var byName = "{\"session_name\":\"%s-kid\",\"scope\":\"tree\"}".formatted(name);
        assertThat(asAgent(token, "stop_session", byName)).isNotEmpty();
        var found = asAgent(token, "search_events", "{\"limit\":1}").get("events");
        assertThat(found.size()).isEqualTo(1);
        var own = Json.object().put("session_id", name);
        own.putObject("event").put("event_type", "progress").put("percent", 5);
        asAgent(token, "report_progress", own.toString());
        var outside = "{\"session_id\":\"%s\"}".formatted(alive());
        assertThat(answer(token, "get_tree", outside).get("isError").asBoolean()).isTrue();
        assertThat(answer(token, "get_tree", "{}").get("isError").asBoolean()).isTrue();
        server.post("/sessions/" + name + "/stop?wait=20s", "{\"scope\":\"tree\"}");
    }

    @Test
    void sessions_are_resources() {
        var name = ended();
        var listed = ask("resources/list", Json.object()).result();
        assertThat(listed.get("resources").valueStream().map(r -> text(r, "uri")))
                .contains("coppice://sessions/" + name);
        var forms = ask("resources/templates/list", Json.object()).result();
        for (var form : forms.get("resourceTemplates")) {
            assertThat(text(form, "description")).isNotBlank();
            var template = String.valueOf(text(form, "uriTemplate"));
            // There is no removal, and no run that left a result.
            if (template.contains("removal_id") || template.endsWith("/result")) continue;
            var uri = template.replace("{session_id}", name);
            var read = stateless("resources/read", Json.object().put("uri", uri), "Mcp-Name", uri);
            var found = read.result().get("contents").get(0);
            assertThat(text(found, "uri")).isEqualTo(uri);
            assertThat(Json.read(String.valueOf(text(found, "text"))).isObject()).isTrue();
            assertThat(read.result().has("ttlMs")).isTrue();
        }
        var caller = dev.coppice.access.Caller.agent(new SessionId(name + "-kid"));
        var token = server.coordinator().token(caller);
        for (var uri :
                List.of(
                        "coppice://sessions/" + name,
                        "coppice://sessions/" + name + "-kid/result",
                        "coppice://sessions/a%20b",
                        "file:///etc")) {
            var params = Json.object().put("uri", uri);
            var said = post(token, message("resources/read", params).toString());
            assertThat(said.error()).as(uri).isEqualTo(-32002);
            assertThat(text(said.json().get("error").get("data"), "uri")).isEqualTo(uri);
            assertThat(stateless("resources/read", params, "Mcp-Name", "other").error())
                    .isEqualTo(-32020);
        }
        refused("list_agent_sessions", "{\"after\":\"odd\"}");
        var bad = ask("resources/list", Json.object().put("cursor", "\u0000?"));
        assertThat(bad.error()).isEqualTo(-32602);
    }

    @Test
    void prompts_take_their_arguments() {
        for (var prompt : ask("prompts/list", Json.object()).result().get("prompts")) {
            var params = Json.object().put("name", text(prompt, "name"));
            assertThat(ask("prompts/get", params).error()).isEqualTo(-32602);
            var arguments = params.putObject("arguments");
            prompt.get("arguments").forEach(a -> arguments.put(text(a, "name"), "${this}"));
            var got =
                    stateless(
                            "prompts/get",
                            params,
                            "Mcp-Name",
                            String.valueOf(text(prompt, "name")));
            var said = got.result().get("messages").get(0).get("content").get("text").asString();
            assertThat(said).contains("${this}").doesNotContain("${task}", "${session}");
        }
        assertThat(ask("prompts/get", Json.object().put("name", "x")).error()).isEqualTo(-32602);
    }

    @Test
    void names_of_sessions_are_completed() {
        var name = ended();
        for (var argument : List.of("session", "session_id", "task")) {
            var params = Json.object();
            params.putObject("ref").put("type", "ref/prompt").put("name", "review_tree");
            params.putObject("argument").put("name", argument).put("value", name + "-");
            var got = ask("completion/complete", params).result().get("completion");
            var values = got.get("values").valueStream().map(JsonNode::asString).toList();
            if (argument.equals("task")) assertThat(values).isEmpty();
            else assertThat(values).containsExactlyInAnyOrder(name + "-kid", name + "-leaf");
            assertThat(got.get("hasMore").asBoolean()).isFalse();
        }
    }

    private JsonNode asAgent(String token, String tool, String arguments) {
        var result = answer(token, tool, arguments);
        assertThat(result.get("isError").asBoolean()).as(result.toString()).isFalse();
        return result.get("structuredContent");
    }

    private JsonNode answer(String token, String tool, String arguments) {
        var message = message("tools/call", calling(tool, arguments)).toString();
        return fitting(tool, post(token, message).result());
    }

    @Test
    void what_the_tools_say_fits_their_schemas() {
        var name = ended();
        for (var tool :
                List.of(
                        "list_agent_blueprints",
                        "list_agent_sessions",
                        "list_removals",
                        "list_waves",
                        "search_events",
                        "get_audit")) {
            done(tool, "{}");
        }
        for (var tool : List.of("get_tree", "list_children", "get_session_status")) {
            done(tool, id(name));
        }
        done("get_removal_plan", id(name));
        done("get_tree", "{\"session_name\":\"%s\",\"flat\":true}".formatted(name));
        done("wait_for_sessions", "{\"session_ids\":[\"%s\"]}".formatted(name));
        done("create_session", "{\"session_name\":\"made-%s\"}".formatted(name));
        var sent =
                "{\"agent_id\":\"%s-kid\",\"message\":\"hi\",\"mode\":\"queue\"}".formatted(name);
        fitting("send_message_to_agent", called("send_message_to_agent", sent));
        var wave = done("start_wave", "{\"name\":\"w\",\"members\":[]}");
        done("get_wave", "{\"wave_id\":\"%s\"}".formatted(text(wave, "wave_id")));
        var removal = text(deleted(id(name)), "removal_id");
        done("undo_removal", "{\"removal_id\":\"%s\",\"wait\":\"20s\"}".formatted(removal));
        done("list_work", "{\"removal_id\":\"%s\"}".formatted(removal));
    }

    /** Starts a run in a directory; its runner then stays silent. */
    private void outOfReach(String name) {
        var runner =
                text(
                        server.post(
                                "/runner/register",
                                "{\"hostname\":\"%1$s\",\"project_dir\":\"/\",\"executor_profile\":\"%1$s\",\"protocol\":\"coppice/1\",\"holds\":[]}"
                                        .formatted(name)),
                        "runner_id");
        server.post(
                "/runs",
                "{\"session_id\":\"%1$s\",\"session_name\":\"%1$s\",\"prompt\":\"x\",\"additional_demands\":{\"executor_profile\":\"%1$s\"}}"
                        .formatted(name));
        var run = server.get("/runner/runs?runner_id=" + runner).get("run");
        var sent = Json.object().put("runner_id", runner).put("fence", run.get("fence").asLong());
        sent.putObject("workplace")
                .put("directory", "/repo")
                .put("made", false)
                .put("outputs", "/runs");
        server.post("/runner/runs/" + text(run, "run_id") + "/started", sent.toString());
    }

    private static String forced(String session) {
        return Json.object()
                .put("session_id", session)
                .put("force", true)
                .put("reason", "enough")
                .put("deadline", "3s")
                .toString();
    }

    @Test
    void a_waiting_deletion_names_the_session_and_a_partial_one_names_what_failed() {
        var name = "mcp-far" + trees++;
        outOfReach(name);
        var waits = refused("delete_session", McpPeer.confirmed(server, forced(name)));
        assertThat(waits.get("content").toString())
                .contains(
                        "is being deleted", "has not ended: " + name, "call again to keep waiting");
        var removal = text(waits.get("structuredContent"), "removal_id");
        server.post("/removals/" + removal + "/abandon", "{\"reason\":\"its machine is gone\"}");
        Eventually.await(
                () -> !"quiescing".equals(text(server.get("/removals/" + removal), "state")),
                () -> server.get("/removals/" + removal).toString());
        var value = deleted(forced(name));
        assertThat(text(value, "removal_id")).as("the call joins the removal").isEqualTo(removal);
        var summary = value.get("deletion_summary");
        assertThat(summary.get("agents_failed").asInt()).isOne();
        assertThat(summary.get("partial_deletion").asBoolean()).isTrue();
        var partial = value.get("recovery_info").get("partial_deletions");
        assertThat(text(partial.get(0), "agent_id")).isEqualTo(name);
        assertThat(text(partial.get(0), "error")).isNotBlank();
        assertThat(text(partial.get(0), "timestamp")).isNotBlank();
        assertThat(partial.get(1).get("directories").toString()).contains("/repo");
        assertThat(text(partial.get(1), "host")).isEqualTo(name);
    }

    @Test
    void a_called_off_deletion_is_reported_and_loses_no_work() {
        try (var runner = new WorkingRunner(server, "mcp-worked" + trees++)) {
            var name = runner.worked();
            var discarding = "{\"session_id\":\"%s\",\"preserve_work\":false}".formatted(name);
            assertThat(refused("delete_session", discarding).toString()).contains("security_error");
            runner.breaks("the disk is full");
            var stays = refused("delete_session", McpPeer.confirmed(server, id(name)));
            assertThat(stays.get("content").toString())
                    .contains("is not deleted", "the disk is full", "was called off");
            assertThat(stays.get("structuredContent").get("success").asBoolean()).isFalse();
            assertThat(server.client().get("/sessions/" + name).status()).isEqualTo(200);
        }
    }

    @Test
    void a_deletion_reports_what_it_deleted_and_can_be_undone() {
        var name = ended();
        var value = deleted(id(name));
        assertThat(value.get("success").asBoolean()).isTrue();
        assertThat(text(value, "session_id")).isEqualTo(name);
        assertThat(value.get("agents_deleted").asInt()).isEqualTo(2);
        var summary = value.get("deletion_summary");
        assertThat(summary.get("agents_deleted").asInt()).isEqualTo(2);
        assertThat(summary.get("agents_failed").asInt()).isZero();
        assertThat(summary.get("backup_created").asBoolean()).isTrue();
        assertThat(summary.get("state_deleted").asBoolean()).isTrue();
        assertThat(summary.get("partial_deletion").asBoolean()).isFalse();
        assertThat(value.get("recovery_info").get("backup_available").asBoolean()).isTrue();
        assertThat(text(value, "backup_path")).isNotBlank();
        assertThat(text(value, "undo_until")).isNotBlank();
        assertThat(server.client().get("/sessions/" + name + "-leaf").status()).isEqualTo(410);
        var removal = String.valueOf(text(value, "removal_id"));
        done("undo_deletion", Json.object().put("removal_id", removal).toString());
        assertThat(server.client().get("/sessions/" + name + "-leaf").status()).isEqualTo(200);
    }

    private List<Integer> progress(String arguments) {
        var params = calling("delete_session", McpPeer.confirmed(server, arguments));
        params.putObject("_meta").put("progressToken", "p-1");
        var events = ask("tools/call", params).events();
        var percents = new ArrayList<Integer>();
        messages.clear();
        for (var event : events.subList(0, events.size() - 1)) {
            assertThat(text(event, "method")).isEqualTo("notifications/progress");
            assertThat(text(event.get("params"), "progressToken")).isEqualTo("p-1");
            assertThat(text(event.get("params"), "message")).isNotBlank();
            messages.add(String.valueOf(text(event.get("params"), "message")));
            percents.add(event.get("params").get("progress").asInt());
        }
        var result = events.getLast().get("result");
        assertThat(result.get("structuredContent").get("success").asBoolean()).isTrue();
        assertThat(text(result.get("content").get(0), "text"))
                .startsWith("Session deletion complete");
        return percents;
    }

    /** Sends all steps of the seed however fast it is; those between 50 and 80 vary. */
    @Test
    void progress_is_sent_on_request_and_never_decreases() {
        var all =
                progress(
                        "{\"session_name\":\"%s\",\"force\":true,\"reason\":\"done\"}"
                                .formatted(alive()));
        assertThat(all).isSorted().doesNotHaveDuplicates().contains(15, 25, 35, 50, 80, 85, 100);
        assertThat(all.stream().filter(p -> p < 50 || p > 80)).containsExactly(15, 25, 35, 85, 100);
        assertThat(messages).anyMatch(m -> m.matches("Deleting agent \\S+-leaf \\(1/\\d\\)"));
        var few =
                progress(
                        "{\"session_id\":\"%s\",\"create_backup\":false,\"cleanup_agents\":false}"
                                .formatted(ended()));
        assertThat(few).containsExactly(15, 25, 85, 100);
    }

    @Test
    void a_refusal_is_a_result_with_its_kind_and_code() {
        var name = alive();
        var running = refused("delete_session", id(name));
        assertThat(problem(running).toString()).contains("operation_error");
        assertThat(text(running.get("content").get(0), "text")).contains("running");
        // Clients validate a structured value against the output schema, also in a refusal.
        assertThat(running.has("structuredContent")).isFalse();
        for (var unknown : List.of(id("nobody-at-all"), "{\"session_name\":\"nobody-at-all\"}")) {
            var problem = problem(refused("delete_session", unknown));
            assertThat(text(problem, "code")).isEqualTo("session_unknown");
            assertThat(text(problem, "kind")).isEqualTo("validation_error");
        }
        assertThat(server.client().get("/sessions/" + name).status()).isEqualTo(200);
    }

    private static JsonNode problem(JsonNode result) {
        return Json.read(String.valueOf(text(result.get("content").get(1), "text")));
    }

    @Test
    void deleting_again_succeeds_and_names_the_first_removal() {
        var name = alive();
        var twig = Json.object().put("session_id", name + "-twig");
        twig.put("session_name", "twig-of-" + name).put("parent_session_id", name);
        server.post("/sessions", twig.toString());
        server.post("/sessions/" + name + "/stop", "{\"scope\":\"tree\"}");
        var first = deleted(id(name));
        var again = done("delete_session", id(name));
        assertThat(again.get("already_deleted").asBoolean()).isTrue();
        assertThat(text(again, "removal_id")).isEqualTo(text(first, "removal_id"));
        assertThat(text(again, "session_id")).isEqualTo(name);
        assertThat(again.get("deletion_summary")).isEqualTo(first.get("deletion_summary"));
        var named = Json.object().put("session_name", "twig-of-" + name);
        for (var given : List.of(id(name + "-twig"), named.toString())) {
            var below = done("delete_session", given);
            assertThat(text(below, "session_id")).isEqualTo(name + "-twig");
            assertThat(below.get("already_deleted").asBoolean()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"session\":\"x\"}",
                "{\"session_id\":7}",
                "{\"session_id\":\"x\",\"force\":\"yes\"}",
                "{\"session_id\":\"../removals\"}",
                "{\"session_id\":\"a/b\"}",
                "{\"session_id\":\"\\u0000\"}",
                "{\"session_id\":\"x\",\"dry_run\":\"true\"}",
                "{\"session_id\":\"x\",\"session_name\":\"y\"}",
                "{\"session_id\":\" \"}",
                "[]"
            })
    void invalid_arguments_are_refused(String arguments) {
        var result = refused("delete_session", arguments);
        assertThat(text(result.get("content").get(0), "text")).isNotBlank();
    }

    /** Clients that cannot ask never sent a second call, so for them nothing was ever deleted. */
    @Test
    void a_deletion_without_a_user_to_ask_needs_no_second_call() {
        var name = ended();
        var result = called("delete_session", id(name));
        assertThat(result.get("isError").asBoolean()).as(result.toString()).isFalse();
        var removal = text(result.get("structuredContent"), "removal_id");
        assertThat(text(result.get("content").get(0), "text"))
                .contains("undo_deletion with removal_id " + removal);
        assertThat(server.client().get("/sessions/" + name).status()).isEqualTo(410);
        var running = alive();
        var refusal = refused("delete_session", id(running));
        assertThat(text(refusal.get("content").get(0), "text"))
                .contains("Set force to true")
                .doesNotContain("reason");
        var forced = Json.object().put("session_id", running).put("force", true);
        done("delete_session", forced.toString());
        assertThat(server.get("/audit?session_id=" + running).toString())
                .contains("critical=override", "no reason given");
    }

    @Test
    void the_schema_of_a_deletion_requires_the_id_of_the_session() {
        for (var tool : ask("tools/list", Json.object()).result().get("tools")) {
            var name = String.valueOf(text(tool, "name"));
            if (!List.of("get_delete_plan", "delete_session").contains(name)) continue;
            var required = tool.get("inputSchema").get("required");
            assertThat(required.toString()).as(name).isEqualTo("[\"session_id\"]");
        }
    }

    @Test
    void a_setting_demands_the_digest_of_the_plan_for_each_removal() {
        try (var strict = WithMcp.caller(Map.of("COPPICE_CONFIRM_REMOVALS", "true"))) {
            var peer = McpPeer.stateless(strict, strict.token(), "{}");
            strict.post("/sessions", "{\"session_id\":\"top\"}");
            strict.post("/sessions", "{\"session_id\":\"kid\",\"parent_session_id\":\"top\"}");
            for (var id : List.of("kid", "top")) strict.post("/sessions/" + id + "/stop", "{}");
            var refusal = peer.tool("delete_session", id("top"));
            assertThat(text(problem(refusal), "code")).isEqualTo("not_confirmed");
            assertThat(text(problem(refusal), "kind")).isEqualTo("operation_error");
            var said = String.valueOf(text(refusal.get("content").get(0), "text"));
            assertThat(said).contains("top", "2 sessions", "confirm");
            assertThat(strict.client().post("/sessions/top/removal", Json.object()).status())
                    .isEqualTo(409);
            var all = peer.adding("X-Agent-Session-Id", "top");
            var none = all.tool("delete_all_agent_sessions", "{}").get("structuredContent");
            assertThat(none.get("deleted_count").asInt()).isZero();
            assertThat(strict.client().get("/sessions/kid").status()).isEqualTo(200);
            assertThat(strict.get("/audit?session_id=top").toString())
                    .contains("is not deleted yet");
            var digest = said.replaceFirst(".*confirm '(\\w+)'.*", "$1");
            var confirmed = Json.object().put("session_id", "top").put("confirm", digest);
            var done = peer.tool("delete_session", confirmed.toString());
            assertThat(done.get("isError").asBoolean()).as(done.toString()).isFalse();
        }
    }

    @Test
    void a_deletion_is_refused_if_the_confirmed_plan_has_changed() {
        var name = alive();
        var forced = Json.object().put("session_id", name).put("force", true).put("reason", "old");
        var plan = done("get_delete_plan", forced.toString());
        assertThat(plan.get("allowed").asBoolean()).isTrue();
        assertThat(server.client().get("/sessions/" + name).status()).isEqualTo(200);
        session(name + "-new", name);
        var confirmed = forced.deepCopy().put("confirm", text(plan, "digest"));
        assertThat(refused("delete_session", confirmed.toString()).toString())
                .contains("plan_changed");
        var again = done("get_delete_plan", forced.toString());
        done("delete_session", confirmed.put("confirm", text(again, "digest")).toString());
    }

    @Test
    void callers_that_may_not_delete_may_not_do_so_by_a_tool() {
        var name = alive();
        var tokens = server.coordinator().tokens();
        var viewer = tokens.issue(dev.coppice.access.Caller.as(Role.VIEWER));
        var kid = new SessionId(name + "-kid");
        var agent = server.coordinator().token(dev.coppice.access.Caller.agent(kid));
        for (var one : List.of(viewer, agent)) {
            for (var id : List.of(name, name + "-kid")) {
                var message = message("tools/call", calling("delete_session", id(id)));
                if (one.equals(viewer)) {
                    var refused = post(one, message.toString());
                    assertThat(refused.status()).isEqualTo(403);
                    assertThat(refused.body()).contains("sessions:delete");
                    continue;
                }
                var result = post(one, message.toString()).result();
                assertThat(result.get("isError").asBoolean()).isTrue();
                assertThat(text(problem(result), "code")).isIn("not_allowed", "session_unknown");
            }
        }
        var forced =
                "{\"session_id\":\"%s-leaf\",\"force\":true,\"reason\":\"mine\"}".formatted(name);
        var message =
                message("tools/call", calling("delete_session", McpPeer.confirmed(server, forced)));
        var result = post(agent, message.toString()).result();
        assertThat(result.get("isError").asBoolean()).as(result.toString()).isFalse();
        var audit = server.get("/audit?session_id=" + name + "-leaf").toString();
        assertThat(audit).contains(name + "-kid", "mine");
    }
}
