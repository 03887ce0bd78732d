package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Role;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The parts that only one era of the protocol has: sessions and streams, rounds and tasks. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class McpErasTest {
    private static final String FORMS = "{\"elicitation\":{}}";
    private static final String TASKS = "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";
    private static final int OF_AN_AGENT_MAX = 16;

    private final Caller server = WithMcp.caller();
    private int names;

    @AfterAll
    void stop() {
        server.close();
    }

    private McpPeer withSession(String capabilities) {
        return McpPeer.withSession(server, server.token(), capabilities);
    }

    private McpPeer stateless(String capabilities) {
        return McpPeer.stateless(server, server.token(), capabilities);
    }

    private String agentToken(String session) {
        return server.coordinator().token(dev.coppice.access.Caller.agent(new SessionId(session)));
    }

    /** Creates a session that has ended, with a child. */
    private String tree() {
        var name = living();
        server.post("/sessions/" + name + "-kid/stop", "{}");
        server.post("/sessions/" + name + "/stop", "{}");
        return name;
    }

    private String living() {
        var name = "tree" + names++;
        for (var id : List.of(name, name + "-kid")) {
            var body = Json.object().put("session_id", id).put("session_name", id);
            if (!id.equals(name)) body.put("parent_session_id", name);
            server.post("/sessions", body.toString());
            server.post("/sessions/" + id + "/bind", "{}");
        }
        return name;
    }

    private void report(String session) {
        server.post(
                "/sessions/" + session + "/events", "{\"event_type\":\"progress\",\"percent\":5}");
    }

    private static String id(String session) {
        return "{\"session_id\":\"%s\"}".formatted(session);
    }

    private static String subscription(String uri) {
        return "{\"uri\":\"%s\"}".formatted(uri);
    }

    private static String accepted(JsonNode asked) {
        return ("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"accept\","
                        + "\"content\":{\"confirm\":true}}}")
                .formatted(asked.get("id"));
    }

    @Test
    void a_session_ends_with_delete_and_belongs_to_its_caller() {
        var peer = withSession("{}");
        assertThat(peer.post("ping", "{}").result()).isEmpty();
        var viewer = server.coordinator().tokens().issue(dev.coppice.access.Caller.as(Role.VIEWER));
        var thief = McpPeer.withSession(server, viewer, "{}").with(peer.session());
        assertThat(thief.post("ping", "{}").status()).isEqualTo(404);
        assertThat(thief.delete().status()).isEqualTo(404);
        assertThat(peer.with("made-up").post("tools/list", "{}").error()).isEqualTo(-32001);
        assertThat(peer.delete().status()).isEqualTo(204);
        assertThat(peer.post("ping", "{}").status()).isEqualTo(404);
        assertThat(peer.with(null).delete().status()).isEqualTo(405);
        assertThat(peer.with(null).post("ping", "{}").status()).isEqualTo(200);
    }

    @Test
    void a_session_hears_of_the_resources_that_it_subscribed_to() {
        var name = living();
        var peer = withSession("{}");
        var events = "coppice://sessions/" + name + "/events";
        var tree = "coppice://sessions/" + name + "/tree";
        assertThat(peer.post("resources/subscribe", subscription(events)).result()).isEmpty();
        assertThat(peer.post("resources/subscribe", subscription(tree)).result()).isEmpty();
        var unknown = peer.post("resources/subscribe", subscription("coppice://sessions/no/tree"));
        assertThat(unknown.error()).isEqualTo(-32002);
        String last;
        try (var stream = peer.listen(null)) {
            report(name);
            var told = stream.next("notifications/resources/updated");
            assertThat(text(told.get("params"), "uri")).isEqualTo(events);
            last = stream.lastId();
        }
        // Nobody listens: the change of the tree is told to the next reader, once.
        var kid = "{\"session_id\":\"%s-two\",\"parent_session_id\":\"%s\"}".formatted(name, name);
        server.post("/sessions", kid);
        try (var stream = peer.listen(last)) {
            var told = stream.next("notifications/resources/updated");
            assertThat(text(told.get("params"), "uri")).isEqualTo(tree);
        }
        peer.post("resources/unsubscribe", subscription(tree));
        peer.post("resources/unsubscribe", subscription(events));
        report(name);
        var result = "coppice://sessions/" + name + "/result";
        peer.post("resources/subscribe", subscription(result));
        peer.post("resources/subscribe", subscription(events));
        try (var stream = peer.listen(null)) {
            report(name);
            // Events from between the subscriptions are not told, and a result did not come.
            var told = stream.next("notifications/resources/updated");
            assertThat(text(told.get("params"), "uri")).isEqualTo(events);
        }
        peer.delete();
    }

    @Test
    void a_call_survives_its_connection_and_its_stream_is_resumed() {
        var peer = withSession("{}");
        var name = "wait" + names++;
        server.post("/sessions", id(name));
        server.post("/sessions/" + name + "/bind", "{}");
        var call =
                McpPeer.call(
                        "wait_for_sessions",
                        "{\"session_ids\":[\"%s\"],\"wait\":\"60s\"}".formatted(name));
        String last;
        try (var stream = peer.open("tools/call", call)) {
            Eventually.await(stream::isPrimed, () -> "no event came");
            last = stream.lastId();
        }
        server.post("/sessions/" + name + "/stop", "{}");
        try (var stream = peer.listen(last)) {
            var answer = stream.answer();
            assertThat(answer.get("result").get("isError").asBoolean()).isFalse();
        }
        // It can be read again as long as it is remembered.
        try (var stream = peer.listen(last)) {
            assertThat(stream.answer().has("result")).isTrue();
        }
        assertThat(peer.listen("99-1").status()).isEqualTo(400);
    }

    @Test
    void a_deletion_asks_the_user_of_a_session() {
        var name = tree();
        var peer = withSession(FORMS);
        try (var stream = peer.open("tools/call", McpPeer.call("delete_session", id(name)))) {
            var asked = stream.next("elicitation/create");
            assertThat(asked.toString()).contains("Delete " + name, "2 sessions");
            peer.tell(
                    "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"decline\"}}"
                            .formatted(asked.get("id")));
            var answer = stream.answer().get("result");
            assertThat(answer.get("isError").asBoolean()).isTrue();
            assertThat(answer.toString()).contains("the user said no");
        }
        try (var stream = peer.open("tools/call", McpPeer.call("delete_session", id(name)))) {
            peer.tell(accepted(stream.next("elicitation/create")));
            var answer = stream.answer().get("result");
            assertThat(answer.get("structuredContent").get("success").asBoolean())
                    .as(answer.toString())
                    .isTrue();
        }
        var other = tree();
        var plan = peer.tool("get_delete_plan", id(other)).get("structuredContent");
        var confirmed = Json.object().put("session_id", other).put("confirm", text(plan, "digest"));
        assertThat(peer.tool("delete_session", confirmed.toString()).get("isError").asBoolean())
                .isFalse();
    }

    @Test
    void a_question_to_a_session_that_ends_ends_the_call() {
        var name = tree();
        var peer = withSession(FORMS);
        try (var stream = peer.open("tools/call", McpPeer.call("delete_session", id(name)))) {
            stream.next("elicitation/create");
            peer.delete();
            stream.assertOver();
        }
        assertThat(text(server.get("/sessions/" + name).get("session"), "session_id"))
                .isEqualTo(name);
    }

    @Test
    void a_cancelled_call_is_not_answered() {
        var name = tree();
        var peer = withSession(FORMS);
        try (var stream = peer.open("tools/call", McpPeer.call("delete_session", id(name)))) {
            stream.next("elicitation/create");
            // The call is the second request of this client.
            peer.tell(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                            + "\"params\":{\"requestId\":2}}");
            stream.assertOver();
        }
    }

    @Test
    void a_deletion_asks_in_rounds_in_the_stateless_era() {
        var name = tree();
        var peer = stateless(FORMS);
        var first = peer.tool("delete_session", id(name));
        assertThat(text(first, "resultType")).isEqualTo("input_required");
        var key = first.get("inputRequests").properties().iterator().next().getKey();
        var state = text(first, "requestState");
        var again = McpPeer.call("delete_session", id(name)).put("requestState", state);
        again.putObject("inputResponses")
                .putObject(key)
                .put("action", "accept")
                .putObject("content")
                .put("confirm", true);
        // The state is of this request, this caller and this plan.
        var tampered = again.deepCopy().put("requestState", state + "x");
        assertThat(peer.post("tools/call", tampered).error()).isEqualTo(-32602);
        var other = again.deepCopy();
        other.set("arguments", Json.read(id(name + "-kid")));
        assertThat(peer.post("tools/call", other).error()).isEqualTo(-32602);
        var operator =
                server.coordinator().tokens().issue(dev.coppice.access.Caller.as(Role.OPERATOR));
        assertThat(
                        McpPeer.stateless(server, operator, FORMS)
                                .post("tools/call", again.deepCopy())
                                .error())
                .isEqualTo(-32602);
        server.post("/sessions/" + name + "-kid/removal?wait=20s", "{}");
        var changed = peer.post("tools/call", again.deepCopy()).result();
        assertThat(text(changed, "resultType")).isEqualTo("input_required");
        assertThat(changed.get("inputRequests").has(key)).isFalse();
        var newKey = changed.get("inputRequests").properties().iterator().next().getKey();
        var last =
                McpPeer.call("delete_session", id(name))
                        .put("requestState", text(changed, "requestState"));
        last.putObject("inputResponses")
                .putObject(newKey)
                .put("action", "accept")
                .putObject("content")
                .put("confirm", true);
        var done = peer.post("tools/call", last).result();
        assertThat(text(done, "resultType")).isEqualTo("complete");
        assertThat(done.get("structuredContent").get("success").asBoolean())
                .as(done.toString())
                .isTrue();
    }

    @Test
    void a_deletion_is_a_task_where_the_client_knows_tasks() {
        var name = tree();
        var peer = stateless(TASKS);
        var begun = peer.tool("delete_session", McpPeer.confirmed(server, id(name)));
        assertThat(text(begun, "resultType")).isEqualTo("task");
        var task = text(begun, "taskId");
        assertThat(task).startsWith("removal.rem_");
        var params = Json.object().put("taskId", task);
        Eventually.await(
                () ->
                        "completed"
                                .equals(
                                        text(
                                                peer.post("tasks/get", params.deepCopy()).result(),
                                                "status")),
                () -> peer.post("tasks/get", params.deepCopy()).text());
        var over = peer.post("tasks/get", params.deepCopy()).result();
        assertThat(over.get("result").get("structuredContent").get("success").asBoolean()).isTrue();
        // Another caller does not see it; a coordinator that has forgotten it finds the removal.
        assertThat(stateless("{}").post("tasks/get", params.deepCopy()).error()).isEqualTo(-32021);
        var forgotten =
                Json.object().put("taskId", task.substring(0, task.lastIndexOf('.')) + ".other");
        assertThat(text(peer.post("tasks/get", forgotten).result(), "status"))
                .isEqualTo("completed");
        var unknown = Json.object().put("taskId", "removal.rem_000000000000.x");
        assertThat(peer.post("tasks/get", unknown).error()).isEqualTo(-32602);
    }

    @Test
    void a_subscription_tells_of_changes_and_ends_with_its_stream() {
        var name = tree();
        var peer = McpPeer.stateless(server, agentToken(name), TASKS);
        var asked =
                ("{\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":["
                     + "\"coppice://sessions/%s/events\",\"coppice://sessions/nobody\"]}}")
                        .formatted(name);
        var open = new ArrayList<McpPeer.Streamed>();
        for (int i = 0; i < OF_AN_AGENT_MAX; i++) {
            open.add(peer.open("subscriptions/listen", (ObjectNode) Json.read(asked)));
        }
        for (var stream : open) {
            var first = stream.next();
            assertThat(text(first, "method")).isEqualTo("notifications/subscriptions/acknowledged");
            var agreed = first.get("params").get("notifications");
            assertThat(agreed.get("resourceSubscriptions").size()).isEqualTo(1);
            assertThat(agreed.has("toolsListChanged")).isFalse();
        }
        report(name);
        for (var stream : open) {
            var told = stream.next("notifications/resources/updated").get("params");
            assertThat(told.get("_meta").has(McpPeer.META + "subscriptionId")).isTrue();
        }
        assertThat(peer.post("subscriptions/listen", asked).status()).isEqualTo(429);
        open.forEach(McpPeer.Streamed::close);
        // The streams are gone once the server notices; then there is room again.
        Eventually.await(
                () -> {
                    try (var stream =
                            peer.open("subscriptions/listen", (ObjectNode) Json.read(asked))) {
                        return stream.status() == 200;
                    }
                },
                () -> "the subscriptions of a client that left still count");
    }

    @Test
    void nothing_precedes_the_acknowledgement_of_a_subscription() {
        var name = tree();
        var uris = new ArrayList<String>();
        uris.add("coppice://sessions/" + name + "/events");
        for (int i = 0; i < 99; i++) uris.add("coppice://sessions/nobody" + i);
        var asked = Json.object();
        var wanted = asked.putObject("notifications").putArray("resourceSubscriptions");
        uris.forEach(wanted::add);
        var over = new AtomicBoolean();
        var busy =
                Thread.ofVirtual()
                        .start(() -> {
                            while (!over.get()) report(name);
                        });
        try (var stream = stateless("{}").open("subscriptions/listen", asked)) {
            assertThat(text(stream.next(), "method"))
                    .isEqualTo("notifications/subscriptions/acknowledged");
        } finally {
            over.set(true);
            join(busy);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void the_later_era_ignores_sessions() {
        var session = withSession("{}").session();
        for (var id : List.of(session, "stale")) {
            assertThat(stateless("{}").with(id).post("server/discover", "{}").status())
                    .isEqualTo(200);
        }
    }

    @Test
    void the_calls_under_way_of_an_agent_are_bounded() {
        var name = living();
        var peer = McpPeer.stateless(server, agentToken(name), "{}");
        var call =
                McpPeer.call(
                        "wait_for_sessions",
                        "{\"session_ids\":[\"%s-kid\"],\"wait\":\"60s\"}".formatted(name));
        var open = new ArrayList<McpPeer.Streamed>();
        for (int i = 0; i < OF_AN_AGENT_MAX; i++)
            open.add(peer.open("tools/call", call.deepCopy()));
        assertThat(peer.post("tools/call", call.deepCopy()).status()).isEqualTo(429);
        open.forEach(McpPeer.Streamed::close);
        Eventually.await(
                () -> peer.post("tools/call", McpPeer.call("get_tree", id(name))).status() == 200,
                () -> "the calls of a client that left still count");
    }

    @Test
    void large_and_deep_messages_are_refused() {
        var peer = stateless("{}");
        var many = peer.post("tools/list", "{\"junk\":[" + "[],".repeat(120_000) + "[]]}");
        assertThat(many.error()).isEqualTo(-32600);
        var id =
                "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"ping\"}"
                        .formatted("i".repeat(300));
        assertThat(peer.tell(id).status()).isEqualTo(400);
    }

    @Test
    void a_revoked_token_gets_no_answer() {
        var name = living();
        var made = server.post("/tokens", "{\"role\":\"operator\"}");
        var peer = McpPeer.stateless(server, String.valueOf(text(made, "token")), "{}");
        var call =
                McpPeer.call(
                        "wait_for_sessions",
                        "{\"session_ids\":[\"%s-kid\"],\"wait\":\"60s\"}".formatted(name));
        try (var stream = peer.open("tools/call", call)) {
            assertThat(stream.status()).isEqualTo(200);
            server.client().delete("/tokens/" + text(made.path("view"), "token_id"));
            stream.assertOver();
        }
        server.post("/sessions/" + name + "/stop", "{\"scope\":\"tree\"}");
    }

    @Test
    void too_many_sessions_end_those_that_were_used_least() {
        var name = tree();
        var token = agentToken(name);
        var first = McpPeer.withSession(server, token, "{}");
        var second = McpPeer.withSession(server, token, "{}");
        for (int i = 2; i < OF_AN_AGENT_MAX; i++) McpPeer.withSession(server, token, "{}");
        assertThat(first.post("ping", "{}").status()).isEqualTo(200);
        McpPeer.withSession(server, token, "{}");
        assertThat(second.post("ping", "{}").status()).isEqualTo(404);
        assertThat(first.post("ping", "{}").status()).isEqualTo(200);
    }

    @Test
    void a_client_without_a_token_learns_how_to_authenticate() {
        var peer = McpPeer.stateless(server, "", "{}");
        var refused = peer.post("server/discover", "{}");
        assertThat(refused.status()).isEqualTo(401);
        var challenge = refused.headers().firstValue("WWW-Authenticate").orElseThrow();
        assertThat(challenge).contains("resource_metadata=", "sessions:read");
        var address =
                challenge.replaceAll("(?s).*resource_metadata=\"http://[^/]+([^\"]+)\".*", "$1");
        var metadata = server.client().get(address).body();
        assertThat(metadata.get("scopes_supported").toString()).contains("sessions:delete");
        assertThat(text(metadata, "resource")).isEqualTo(server.coordinator().url() + "/mcp");
        var claimed = peer.adding("X-Forwarded-Proto", "https").post("server/discover", "{}");
        assertThat(claimed.headers().firstValue("WWW-Authenticate").orElseThrow())
                .as("no proxy is named")
                .contains("resource_metadata=\"http://");
    }

    @Test
    void a_token_that_may_not_read_is_told_what_it_lacks() {
        var ingest = server.coordinator().tokens().issue(dev.coppice.access.Caller.as(Role.INGEST));
        var refused = McpPeer.stateless(server, ingest, "{}").post("server/discover", "{}");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.headers().firstValue("WWW-Authenticate").orElseThrow())
                .contains("insufficient_scope", "sessions:read", "resource_metadata=");
    }
}
