package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.client.Answer;
import dev.coppice.kernel.SessionId;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/** The originals' paths and the additions to them, tested with a real coordinator. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiTest {
    private final Caller server = new Caller(Map.of("COPPICE_LIMIT_DEPTH", "4"));

    @BeforeAll
    void grow() {
        session("top", null);
        session("mid", "top");
        session("leaf", "mid");
        session("other", "top");
    }

    @AfterAll
    void close() {
        server.close();
    }

    private void session(String name, @org.jspecify.annotations.Nullable String parent) {
        var above = parent == null ? "" : ",\"parent_session_id\":\"%s\"".formatted(parent);
        server.post(
                "/sessions",
                "{\"session_id\":\"%s\",\"session_name\":\"%s\"%s}".formatted(name, name, above));
    }

    private List<String> names(String path, String list) {
        var names = new ArrayList<String>();
        for (var s : server.get(path).get(list)) names.add(text(s, "session_name"));
        return names;
    }

    @Test
    void a_tree_is_read_by_children_descendants_and_path() {
        session("t-top", null);
        session("t-mid", "t-top");
        session("t-leaf", "t-mid");
        session("t-other", "t-top");
        assertThat(names("/sessions/t-top/children", "children"))
                .containsExactly("t-mid", "t-other");
        assertThat(server.get("/sessions/t-top/children/count").get("count").asInt()).isEqualTo(2);
        assertThat(names("/sessions/t-top/descendants", "descendants"))
                .containsExactly("t-mid", "t-leaf", "t-other");
        assertThat(names("/sessions/t-top/descendants?max_depth=1", "descendants"))
                .containsExactly("t-mid", "t-other");
        assertThat(server.get("/sessions/t-top/descendants/count").get("count").asInt())
                .isEqualTo(3);
        assertThat(names("/sessions/t-top/tree?flat=true", "sessions"))
                .containsExactly("t-top", "t-mid", "t-leaf", "t-other");
        var nested = server.get("/sessions/t-top/tree").get("tree");
        assertThat(text(nested.get("children").get(0).get("children").get(0), "session_name"))
                .isEqualTo("t-leaf");
        assertThat(text(server.get("/sessions/t-leaf/path"), "path"))
                .isEqualTo("t-top.t-mid.t-leaf");
        assertThat(names("/sessions/t-leaf/path", "sessions"))
                .containsExactly("t-top", "t-mid", "t-leaf");
    }

    @Test
    void lists_are_paged_by_key_and_filtered() {
        session("page", null);
        session("page-a", "page");
        session("page-b", "page-a");
        session("page-c", "page");
        var first = server.get("/sessions?root=page&limit=3");
        assertThat(first.get("sessions").size()).isEqualTo(3);
        var second = server.get("/sessions?root=page&limit=3&after=" + text(first, "next"));
        assertThat(second.get("sessions").size()).isEqualTo(1);
        assertThat(second.get("next").isNull()).isTrue();
        assertThat(names("/sessions?parent=page&name=page-c", "sessions"))
                .containsExactly("page-c");
        assertThat(names("/sessions?root=page&type=main", "sessions")).containsExactly("page");
        assertThat(names("/sessions?root=page&status=running,stopping", "sessions")).isEmpty();
        assertThat(server.client().get("/sessions?status=nonsense").error())
                .contains("status", "nonsense");
        assertThat(server.client().get("/sessions?limit=5000").error())
                .contains("limit", "5000", "1000");
        assertThat(server.client().get("/sessions?root=nobody").status()).isEqualTo(404);
    }

    @Test
    void invalid_fields_are_refused_with_a_code_and_advice() {
        var long101 = "x".repeat(101);
        for (var bad :
                List.of(
                        "{\"session_id\":\"" + long101 + "\"}",
                        "{\"session_id\":\"a b\"}",
                        "{\"session_name\":\"a.b\"}",
                        "{\"session_name\":\"" + "x".repeat(61) + "\"}",
                        "{\"session_type\":\"odd\"}",
                        "{\"metadata\":[1]}",
                        "{\"limits\":{\"depth\":-1}}")) {
            var answer = server.refused("/sessions", bad);
            assertThat(answer.status()).as(bad).isEqualTo(400);
            assertThat(text(answer.body(), "code")).isEqualTo("bad_value");
            assertThat(answer.body().get("detail").asString()).isEqualTo(answer.error());
            assertThat(answer.advice()).isNotBlank();
        }
        var big = "{\"metadata\":{\"a\":\"" + "x".repeat(65_600) + "\"}}";
        assertThat(server.refused("/sessions", big).status()).isEqualTo(413);
        var path = "/" + "x".repeat(1_486);
        var demanding = "{\"prompt\":\"x\",\"additional_demands\":{\"project_dir\":\"%s\"}}";
        assertThat(server.refused("/runs", demanding.formatted(path + "x")).error())
                .isEqualTo(
                        "'additional_demands (with those of the blueprint)' is too large:"
                                + " 1501 bytes; the limit is 1500 bytes");
        server.post("/runs", demanding.formatted(path));
        assertThat(server.raw("POST", "/sessions", "{not json", server.bearer()).status())
                .isEqualTo(422);
        assertThat(server.raw("POST", "/sessions", "[1]", server.bearer()).status()).isEqualTo(422);
    }

    @Test
    void invalid_parents_are_refused_with_a_code_for_each_reason() {
        assertThat(
                        text(
                                server.refused(
                                                "/sessions",
                                                "{\"session_id\":\"me\",\"parent_session_id\":\"me\"}")
                                        .body(),
                                "code"))
                .isEqualTo("parent_is_itself");
        assertThat(
                        text(
                                server.refused("/sessions", "{\"parent_session_id\":\"gone\"}")
                                        .body(),
                                "code"))
                .isEqualTo("parent_unknown");
        assertThat(
                        text(
                                server.refused(
                                                "/runs",
                                                "{\"prompt\":\"x\",\"parent_session_name\":\"gone\"}")
                                        .body(),
                                "code"))
                .isEqualTo("parent_unknown");
        var cycle =
                server.refused(
                        "/runs",
                        "{\"type\":\"resume_session\",\"session_id\":\"top\",\"prompt\":\"x\",\"parent_session_id\":\"leaf\"}");
        assertThat(text(cycle.body(), "code")).isEqualTo("parent_makes_cycle");
        server.post("/sessions", "{\"session_id\":\"ended\"}");
        server.post("/sessions/ended/stop", "{}");
        assertThat(
                        text(
                                server.refused("/sessions", "{\"parent_session_id\":\"ended\"}")
                                        .body(),
                                "code"))
                .isEqualTo("parent_has_ended");
    }

    /** Original, section 6: an unknown parent leaks the write lock, and later writes fail. */
    @Test
    void a_refused_parent_leaves_the_store_writable() {
        for (int i = 0; i < 20; i++)
            server.refused("/runs", "{\"prompt\":\"x\",\"parent_session_id\":\"gone\"}");
        server.post("/sessions", "{}");
    }

    @Test
    void a_reached_limit_names_its_value_and_its_origin() {
        session("deep1", "leaf");
        session("deep2", "deep1");
        var refused = server.refused("/sessions", "{\"parent_session_id\":\"deep2\"}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).contains("'depth' of 4 levels", "the coordinator", "5 levels");
    }

    /** Many small changes fill the journal just as large events do. */
    @Test
    void the_stored_bytes_of_a_tree_are_limited_at_its_root() {
        server.post("/sessions", "{\"session_id\":\"full\",\"limits\":{\"event_bytes\":3000}}");
        var event = "{\"event_type\":\"note\",\"text\":\"%s\"}".formatted("x".repeat(1000));
        server.post("/sessions/full/events", event);
        server.post("/sessions/full/events", event);
        var refused = server.refused("/sessions/full/events", event);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(text(refused.body(), "code")).isEqualTo("limit_reached");
        assertThat(refused.error()).contains("'event_bytes' of 3000 bytes", "session");
        int changes = 0;
        while (change("full") == 200) changes++;
        assertThat(changes).isLessThan(10);
        assertThat(change("full")).isEqualTo(409);
        assertThat(server.refused("/runs", resumed("full")).error()).contains("event_bytes");
        var below = "{\"parent_session_id\":\"full\",\"limits\":{\"output_bytes\":5}}";
        assertThat(server.refused("/sessions", below).error()).contains("at its root");
        server.post("/sessions", "{\"session_id\":\"small\",\"limits\":{\"metadata_bytes\":90}}");
        var metadata = "\"metadata\":{\"a\":\"%s\"}".formatted("x".repeat(100));
        assertThat(
                        server.refused(
                                        "/sessions",
                                        "{\"parent_session_id\":\"small\"," + metadata + "}")
                                .error())
                .contains("'metadata_bytes' of 90 bytes");
    }

    /** Sent by the session's agent; the same change by an operator is accepted. */
    private int change(String session) {
        var path = "/sessions/" + session + "/metadata";
        assertThat(server.raw("PATCH", path, "{}", server.bearer()).status()).isEqualTo(200);
        var agent = dev.coppice.access.Caller.agent(new SessionId(session));
        var token = "Authorization: Bearer " + server.coordinator().token(agent);
        return server.raw("PATCH", path, "{}", token).status();
    }

    private static String resumed(String session) {
        return "{\"type\":\"resume_session\",\"session_id\":\"%s\",\"prompt\":\"x\"}"
                .formatted(session);
    }

    @Test
    void an_idempotency_key_creates_once_and_is_refused_with_another_body() {
        var key = Map.of("Idempotency-Key", "k1");
        var body = Json.read("{\"session_name\":\"once\"}");
        var first = server.client().call("POST", "/sessions", body, key);
        var again = server.client().call("POST", "/sessions", body, key);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.body()).isEqualTo(first.body());
        var other = server.client().call("POST", "/sessions", Json.read("{}"), key);
        assertThat(text(other.body(), "code")).isEqualTo("key_used_otherwise");
        var run = Json.read("{\"session_name\":\"once-run\",\"prompt\":\"x\"}");
        var started = server.client().call("POST", "/runs", run, Map.of("Idempotency-Key", "k2"));
        assertThat(
                        server.client()
                                .call("POST", "/runs", run, Map.of("Idempotency-Key", "k2"))
                                .body())
                .isEqualTo(started.body());
        var asOther =
                server.as(dev.coppice.access.Caller.as(dev.coppice.access.Role.OPERATOR))
                        .call("POST", "/sessions", Json.read("{}"), key);
        assertThat(asOther.status()).isEqualTo(201);
    }

    @Test
    void concurrent_requests_with_the_same_key_create_one_session() throws Exception {
        try (var both = Executors.newVirtualThreadPerTaskExecutor()) {
            var body = Json.read("{\"session_name\":\"raced\"}");
            var answers = new ArrayList<java.util.concurrent.Future<Answer<JsonNode>>>();
            for (int i = 0; i < 8; i++)
                answers.add(
                        both.submit(() ->
                                server.client()
                                        .call(
                                                "POST",
                                                "/sessions",
                                                body,
                                                Map.of("Idempotency-Key", "k3"))));
            for (var answer : answers)
                assertThat(answer.get().body()).isEqualTo(answers.getFirst().get().body());
        }
    }

    /** Original, section 6: a long session only ever shows its oldest hundred events. */
    @Test
    void the_first_page_has_the_newest_events_and_older_pages_follow() {
        session("talker", null);
        for (int i = 0; i < 130; i++)
            server.post(
                    "/sessions/talker/events",
                    "{\"event_type\":\"message\",\"session_id\":\"talker\",\"content\":[{\"type\":\"text\",\"text\":\"%d\"}]}"
                            .formatted(i));
        var newest = server.get("/sessions/talker/events");
        assertThat(newest.get("events").size()).isEqualTo(100);
        assertThat(newest.get("events").get(99).get("content").get(0).get("text").asString())
                .isEqualTo("129");
        var older = server.get("/sessions/talker/events?before=" + text(newest, "previous"));
        assertThat(
                        older.get("events")
                                .get(older.get("events").size() - 1)
                                .get("content")
                                .get(0)
                                .get("text")
                                .asString())
                .isEqualTo("29");
        assertThat(
                        server.refused(
                                        "/sessions/talker/events",
                                        "{\"event_type\":\"x\",\"session_id\":\"top\"}")
                                .status())
                .isEqualTo(400);
        assertThat(server.refused("/sessions/nobody/events", "{\"event_type\":\"x\"}").status())
                .isEqualTo(404);
    }

    @Test
    void blueprints_are_created_read_changed_and_deleted() {
        server.post(
                "/agents",
                "{\"name\":\"b1\",\"kind\":\"command\",\"command\":[\"cat\"],\"tags\":[\"x\",\"y\"],\"skills\":{\"kept\":true}}");
        assertThat(server.refused("/agents", "{\"name\":\"b1\",\"command\":[\"cat\"]}").status())
                .isEqualTo(409);
        assertThat(server.get("/agents/b1").get("skills").get("kept").asBoolean()).isTrue();
        assertThat(server.get("/agents?tags=x,y").size()).isEqualTo(1);
        assertThat(server.get("/agents?tags=x,z").size()).isZero();
        var changed = server.client().call("GET", "/agents/b1", null, Map.of()).body();
        assertThat(text(changed, "status")).isEqualTo("active");
        assertThat(
                        server.raw(
                                        "PATCH",
                                        "/agents/b1/status",
                                        "{\"status\":\"inactive\"}",
                                        server.bearer())
                                .status())
                .isEqualTo(200);
        assertThat(
                        text(
                                server.refused("/runs", "{\"agent_name\":\"b1\",\"prompt\":\"x\"}")
                                        .body(),
                                "code"))
                .isEqualTo("blueprint_inactive");
        assertThat(server.client().delete("/agents/b1").status()).isEqualTo(204);
        assertThat(server.client().get("/agents/b1").status()).isEqualTo(404);
        assertThat(server.client().delete("/agents/scripted").status()).isEqualTo(409);
        for (var bad :
                List.of(
                        "{}",
                        "{\"name\":\"../x\",\"command\":[\"a\"]}",
                        "{\"name\":\"c\",\"kind\":\"command\"}",
                        "{\"name\":\"c\",\"kind\":\"odd\"}",
                        "{\"name\":\"c\",\"command\":\"sh\"}",
                        "{\"name\":\"c\",\"command\":[\"a\"],\"parameters_schema\":{\"type\":\"nonsense\"}}")) {
            assertThat(server.refused("/agents", bad).status()).as(bad).isEqualTo(400);
        }
        assertThat(
                        text(
                                server.refused(
                                                "/runs",
                                                "{\"agent_name\":\"nobody\",\"prompt\":\"x\"}")
                                        .body(),
                                "code"))
                .isEqualTo("blueprint_unknown");
    }

    @Test
    void a_blueprint_without_a_schema_takes_a_prompt_and_nothing_else() {
        for (var bad :
                List.of(
                        "{}",
                        "{\"prompt\":\"\"}",
                        "{\"prompt\":5}",
                        "{\"prompt\":null}",
                        "{\"prompt\":{}}",
                        "{\"text\":\"x\"}",
                        "{\"prompt\":\"x\",\"more\":1}")) {
            var answer = server.refused("/runs", "{\"parameters\":" + bad + "}");
            assertThat(text(answer.body(), "code")).as(bad).isEqualTo("parameters_invalid");
        }
        server.post("/runs", "{\"parameters\":{\"prompt\":\"x\"}}");
    }

    @Test
    void a_run_can_be_stopped_before_it_is_claimed() {
        var run = server.post("/runs", "{\"session_name\":\"early\",\"prompt\":\"x\"}");
        assertThat(text(run, "status")).isEqualTo("pending");
        assertThat(text(server.get("/sessions/by-name/early").get("session"), "status"))
                .isEqualTo("pending");
        assertThat(
                        text(
                                server.refused(
                                                "/runs",
                                                "{\"type\":\"resume_session\",\"session_name\":\"early\",\"prompt\":\"x\"}")
                                        .body(),
                                "code"))
                .isEqualTo("session_busy");
        assertThat(server.client().get("/sessions/" + text(run, "session_id") + "/result").status())
                .isEqualTo(400);
        assertThat(text(server.post("/runs/" + text(run, "run_id") + "/stop", "{}"), "status"))
                .isEqualTo("stopped");
        assertThat(server.client().get("/sessions/" + text(run, "session_id") + "/result").status())
                .isEqualTo(404);
    }

    @Test
    void requests_with_a_foreign_host_or_origin_are_refused() {
        var url = "/health";
        assertThat(server.raw("GET", url, "").status()).isEqualTo(200);
        assertThat(server.raw("GET", url, "", "Host: evil.example").status()).isEqualTo(403);
        assertThat(server.raw("GET", url, "", "Origin: http://evil.example").status())
                .isEqualTo(403);
        assertThat(server.raw("GET", url, "", "Origin: " + server.coordinator().url()).status())
                .isEqualTo(200);
        assertThat(server.raw("GET", url, "", "Origin: null").status()).isEqualTo(403);
    }

    @Test
    void only_this_machine_reaches_the_port() throws IOException {
        int port = URI.create(server.coordinator().url()).getPort();
        for (var card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (var address : Collections.list(card.getInetAddresses())) {
                if (address.isLoopbackAddress()) continue;
                try (var socket = new Socket()) {
                    var there = new InetSocketAddress(address, port);
                    assertThatThrownBy(() -> socket.connect(there, 1_000))
                            .as("%s", address)
                            .isInstanceOf(IOException.class);
                }
            }
        }
    }

    @Test
    void hostile_paths_and_methods_are_refused_and_the_server_stays_healthy() {
        var url = "";
        var bearer = server.bearer();
        assertThat(server.raw("GET", url + "/sessions/../../etc/passwd", "", bearer).status())
                .isIn(400, 404);
        assertThat(server.raw("GET", url + "/sessions/%00%ff", "", bearer).status()).isIn(400, 404);
        assertThat(server.raw("GET", url + "/sessions/" + "x".repeat(5000), "", bearer).status())
                .isIn(404, 414);
        assertThat(server.raw("GET", url + "/agents/..%2f..%2ftoken", "", bearer).status())
                .isIn(400, 404);
        assertThat(server.raw("DELETE", url + "/health", "", bearer).status()).isEqualTo(405);
        assertThat(server.raw("BREW", url + "/health", "", bearer).status()).isIn(405, 400);
        assertThat(server.raw("GET", url + "/health", "").status()).isEqualTo(200);
    }

    @Test
    void an_agent_sees_and_starts_sessions_only_in_its_subtree() {
        var agent = server.as(dev.coppice.access.Caller.agent(new SessionId("mid")));
        assertThat(agent.get("/sessions/leaf").status()).isEqualTo(200);
        assertThat(agent.get("/sessions/top").status()).isEqualTo(404);
        assertThat(agent.get("/sessions").body().get("sessions").findValuesAsString("session_name"))
                .contains("mid", "leaf")
                .doesNotContain("top", "other");
        assertThat(
                        agent.get("/sessions/leaf/path")
                                .body()
                                .get("sessions")
                                .findValuesAsString("session_name"))
                .containsExactly("mid", "leaf");
        var born = agent.post("/sessions", Json.read("{\"session_name\":\"inherited\"}"));
        assertThat(text(born.body().get("session"), "parent_session_id")).isEqualTo("mid");
        var foreign = agent.post("/sessions", Json.read("{\"parent_session_id\":\"other\"}"));
        assertThat(text(foreign.body(), "code")).isEqualTo("parent_unknown");
        assertThat(agent.post("/sessions/mid/stop", Json.read("{}")).status()).isEqualTo(403);
        assertThat(agent.post("/sessions/top/stop", Json.read("{}")).status()).isEqualTo(404);
        assertThat(
                        agent.post("/agents", Json.read("{\"name\":\"x\",\"command\":[\"a\"]}"))
                                .status())
                .isEqualTo(403);
        assertThat(
                        agent.post("/sessions/leaf/events", Json.read("{\"event_type\":\"x\"}"))
                                .status())
                .isEqualTo(403);
    }

    @Test
    void the_openapi_document_names_every_route_and_the_fields_of_real_answers() {
        var document = server.get("/openapi.json");
        assertThat(text(document, "openapi")).isEqualTo("3.1.0");
        for (var route : server.coordinator().routes()) {
            if (route.path().equals("/openapi.json")) continue;
            var operation =
                    document.get("paths")
                            .get(route.path())
                            .get(route.method().name().toLowerCase(java.util.Locale.ROOT));
            assertThat(operation).as(route.method() + " " + route.path()).isNotNull();
        }
        var session =
                document.get("components").get("schemas").get("SessionView").get("properties");
        // Only a list that was asked for headlines has them.
        var always = new ArrayList<>(names(session));
        always.remove("headline");
        assertThat(names(server.get("/sessions/top").get("session")))
                .containsExactlyInAnyOrderElementsOf(always);
        var run = server.post("/runs", "{\"prompt\":\"x\"}");
        assertThat(names(run))
                .containsExactlyInAnyOrderElementsOf(
                        names(
                                document.get("components")
                                        .get("schemas")
                                        .get("StartedView")
                                        .get("properties")));
        var view = document.get("components").get("schemas").get("RunView").get("properties");
        assertThat(names(server.get("/runs/" + text(run, "run_id"))))
                .containsExactlyInAnyOrderElementsOf(names(view));
    }

    private static List<String> names(tools.jackson.databind.JsonNode object) {
        return object.properties().stream().map(Map.Entry::getKey).toList();
    }

    @Test
    void a_wait_for_a_run_ends_when_the_run_ends_or_the_time_is_up() throws Exception {
        var run =
                text(
                        server.post("/runs", "{\"session_name\":\"waited\",\"prompt\":\"x\"}"),
                        "run_id");
        assertThat(text(server.get("/runs/" + run + "?wait=50ms"), "status")).isEqualTo("pending");
        var seen = new AtomicReference<@org.jspecify.annotations.Nullable String>();
        var waiter =
                Thread.ofVirtual()
                        .start(() ->
                                seen.set(text(server.get("/runs/" + run + "?wait=20s"), "status")));
        server.post("/runs/" + run + "/stop", "{}");
        waiter.join(15_000);
        assertThat(seen.get()).isEqualTo("stopped");
    }

    @Test
    void an_unknown_cursor_is_refused() {
        for (var list :
                List.of(
                        "/sessions",
                        "/runs",
                        "/sessions?root=top",
                        "/sessions/top/children",
                        "/sessions/top/descendants")) {
            var answer = server.client().get(list + (list.contains("?") ? "&" : "?") + "after=zzz");
            assertThat(answer.status()).as(list).isEqualTo(400);
            assertThat(answer.error()).contains("zzz");
        }
    }

    @Test
    void an_event_sent_twice_with_one_key_is_stored_once() {
        session("keyed", null);
        var event = Json.read("{\"event_type\":\"x\"}");
        for (int i = 0; i < 2; i++) {
            server.client()
                    .call("POST", "/sessions/keyed/events", event, Map.of("Idempotency-Key", "e1"));
        }
        assertThat(server.get("/sessions/keyed/events").get("events").size()).isEqualTo(1);
    }

    @Test
    void a_request_that_the_web_server_refuses_is_answered_with_a_problem() {
        var answer = server.raw("GET", "/sessions/%zz", "");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(text(Json.read(answer.body()), "code")).isEqualTo("request_unreadable");
    }
}
