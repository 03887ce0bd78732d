package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Role;
import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What the originals' own clients met, where a replayed exchange cannot show it: one test for each
 * row of the list of breaks, besides {@link ReplayTest}.
 */
class OriginalClientsTest {
    private static final String PAGES = "http://localhost:3000";
    private final Caller server = Product.caller(Map.of("COPPICE_ORIGINS", PAGES));

    @AfterEach
    void close() {
        server.close();
    }

    private String session(String name) {
        server.post(
                "/sessions",
                "{\"session_id\":\"%s\",\"session_name\":\"%s\"}".formatted(name, name));
        return name;
    }

    private Caller.Sent plain(String method, String path, String body) {
        return server.send(method, path, body, Map.of("Authorization", "Bearer " + server.token()));
    }

    @Test
    void row_1_the_data_of_an_event_is_the_event() {
        session("s");
        server.post(
                "/sessions/s/events",
                "{\"event_type\":\"message\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"role\":\"user\"}");
        var frames = new ArrayList<SseFrame>();
        server.client()
                .follow(
                        "/sse/sessions?after=0&types=event",
                        frame -> {
                            frames.add(frame);
                            return false;
                        });
        var data = Json.read(frames.getFirst().data()).get("data");
        assertThat(text(data, "session_id")).isEqualTo("s");
        assertThat(text(data, "event_type")).isEqualTo("message");
    }

    @Test
    void row_2_a_run_may_complete_before_it_started() throws IOException {
        replayed("runner", "/completed", "/started");
    }

    @Test
    void row_3_a_removed_session_is_404_with_its_removal_unless_problems_are_accepted() {
        session("s");
        var removal = text(server.client().delete("/sessions/s").body(), "removal_id");
        for (var path : List.of("/sessions/s", "/sessions/by-name/s", "/sessions/s/events")) {
            var gone = plain("GET", path, "");
            assertThat(gone.status()).as(path).isEqualTo(404);
            assertThat(text(gone.json(), "gone")).isEqualTo(removal);
            assertThat(gone.json().get("detail").isString()).isTrue();
        }
        var ours =
                server.send(
                        "GET",
                        "/sessions/s",
                        "",
                        Map.of(
                                "Authorization",
                                "Bearer " + server.token(),
                                "Accept",
                                "application/problem+json"));
        assertThat(ours.status()).isEqualTo(410);
        assertThat(ours.json().has("gone")).isFalse();
        assertThat(plain("GET", "/sessions/s/tree", "").status()).isEqualTo(410);
    }

    @Test
    void row_4_pages_of_a_named_origin_may_call_and_others_may_not() {
        var asking =
                Map.of(
                        "Origin",
                        PAGES,
                        "Access-Control-Request-Method",
                        "DELETE",
                        "Access-Control-Request-Headers",
                        "authorization,content-type");
        var preflight = server.send("OPTIONS", "/sessions/x", "", asking);
        assertThat(preflight.status()).isEqualTo(204);
        assertThat(preflight.header("Access-Control-Allow-Origin")).isEqualTo(PAGES);
        assertThat(preflight.header("Access-Control-Allow-Methods")).contains("DELETE", "PATCH");
        assertThat(preflight.header("Access-Control-Allow-Headers")).contains("Authorization");
        var token = "Bearer " + server.token();
        var read = server.send("GET", "/runs", "", Map.of("Origin", PAGES, "Authorization", token));
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.header("Access-Control-Allow-Origin")).isEqualTo(PAGES);
        assertThat(read.header("Vary")).contains("Origin");
        // Without a token a page learns nothing, but its script can read that.
        var refused = server.send("GET", "/runs", "", Map.of("Origin", PAGES));
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.header("Access-Control-Allow-Origin")).isEqualTo(PAGES);
        for (var foreign : List.of("http://localhost:3001", "http://evil.example", "null")) {
            var origin = Map.of("Origin", foreign, "Authorization", token);
            var answer = server.send("GET", "/runs", "", origin);
            assertThat(answer.status()).as(foreign).isEqualTo(403);
            assertThat(answer.header("Access-Control-Allow-Origin")).isNull();
        }
    }

    @Test
    void row_5_the_token_is_the_password_of_basic_authentication() {
        var pair =
                Base64.getEncoder()
                        .encode(("x:" + server.token()).getBytes(StandardCharsets.UTF_8));
        var basic = "Basic " + new String(pair, StandardCharsets.UTF_8);
        assertThat(server.send("GET", "/runs", "", Map.of("Authorization", basic)).status())
                .isEqualTo(200);
        for (var wrong : List.of("Basic eDp5", "Basic %%%", "Basic")) {
            assertThat(server.send("GET", "/runs", "", Map.of("Authorization", wrong)).status())
                    .as(wrong)
                    .isEqualTo(401);
        }
    }

    private String token(String body) {
        return String.valueOf(text(server.post("/tokens", body), "token"));
    }

    @Test
    void row_5_a_viewers_or_senders_token_may_stand_in_an_address() {
        session("s");
        var viewer = token("{\"role\":\"viewer\"}");
        var ingest = token("{\"role\":\"ingest\"}");
        assertThat(server.send("GET", "/t/" + viewer + "/sessions", "", Map.of()).status())
                .isEqualTo(200);
        assertThat(server.send("GET", "/t/" + ingest + "/sessions", "", Map.of()).status())
                .isEqualTo(403);
        var event = "{\"event_type\":\"note\"}";
        var path = "/sessions/s/events";
        assertThat(server.send("POST", "/t/" + ingest + path, event, Map.of()).status())
                .isEqualTo(201);
        assertThat(server.send("POST", "/t/" + viewer + path, event, Map.of()).status())
                .isEqualTo(403);
        assertThat(server.send("POST", "/t/" + ingest + "/sessions", "{}", Map.of()).status())
                .isEqualTo(403);
        var query = "/sessions?api_key=";
        assertThat(server.send("GET", query + viewer, "", Map.of()).status()).isEqualTo(200);
        assertThat(server.send("GET", query + ingest, "", Map.of()).status()).isEqualTo(403);
        // An ingest token can report neither a result nor usage.
        var result = "{\"event_type\":\"result\",\"result_text\":\"forged\"}";
        assertThat(server.send("POST", "/t/" + ingest + path, result, Map.of()).status())
                .isEqualTo(403);
        var usage = "/t/" + ingest + "/sessions/s/usage";
        assertThat(server.send("POST", usage, "{\"tokens\":5}", Map.of()).status()).isEqualTo(403);
        var unknown = server.send("GET", "/t/" + viewer + "/nothing-here", "", Map.of());
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.body()).contains("/nothing-here").doesNotContain(viewer);
        assertThat(server.send("GET", "/t/x/sessions", "", Map.of()).status()).isEqualTo(401);
    }

    /** An address is kept in logs and histories. The path had this rule, and the query had none. */
    @Test
    void row_5_no_token_that_can_do_more_may_stand_in_an_address() {
        session("s");
        var operator = token("{\"role\":\"operator\"}");
        var agent =
                server.coordinator()
                        .token(
                                dev.coppice.access.Caller.agent(
                                        new dev.coppice.kernel.SessionId("s")));
        for (var strong : List.of(server.token(), operator, agent)) {
            var path = "/t/" + strong + "/sessions";
            for (var address : List.of(path, "/sessions?api_key=" + strong)) {
                var answer = server.send("GET", address, "", Map.of());
                assertThat(answer.status()).as(address).isEqualTo(403);
                assertThat(answer.body()).doesNotContain(strong);
                assertThat(text(answer.json(), "code")).isEqualTo("token_in_address");
            }
        }
    }

    /** A broken escape beside the token was answered with the whole query. */
    @Test
    void row_5_no_message_repeats_a_token_of_an_address() {
        var viewer = token("{\"role\":\"viewer\"}");
        for (var address :
                List.of(
                        "/sessions?api_key=" + viewer + "&x=%zz",
                        "/sessions?x=%zz&api_key=" + viewer,
                        "/nothing?api_key=" + viewer,
                        "/sessions?limit=many&api_key=" + viewer,
                        "/t/" + viewer + "/nothing",
                        "/t/" + viewer + "/sessions?limit=many",
                        "/t/" + viewer + "/sessions/%zz",
                        "/t/" + viewer + "%zz/sessions",
                        "/%74/" + viewer + "/sessions",
                        "//t/" + viewer + "/sessions",
                        "/T/" + viewer,
                        "/x/t/" + viewer + "/sessions",
                        "//t/" + viewer + "%zz",
                        "/ui/t/" + viewer)) {
            // A token in a header, too, lets the request come as far as the path.
            for (var header : List.of("Accept: */*", "Authorization: Bearer " + viewer)) {
                var answer = server.raw("GET", address, "", header);
                assertThat(answer.status()).as(address).isBetween(400, 499);
                assertThat(answer.body()).as(address).doesNotContain(viewer);
            }
        }
    }

    /** The gateway of the original's runner has an address, and passes no password on. */
    @Test
    void row_5_a_runners_token_may_stand_in_an_address() {
        var path = "/t/" + token("{\"role\":\"runner\"}");
        var register = "{\"hostname\":\"h\",\"project_dir\":\"/p\",\"executor_profile\":\"x\"}";
        var registered = server.send("POST", path + "/runner/register", register, Map.of());
        assertThat(registered.status()).as(registered.body()).isBetween(200, 201);
        var start =
                "{\"type\":\"start_session\",\"parameters\":{\"prompt\":\"x\"},\"session_id\":\"c\"}";
        assertThat(server.send("POST", path + "/runs", start, Map.of()).status()).isEqualTo(201);
        assertThat(server.send("GET", path + "/agents", "", Map.of()).status()).isEqualTo(200);
    }

    @Test
    void row_5_an_operators_token_may_stand_in_addresses_of_a_port_that_is_opened_for_it()
            throws Exception {
        try (var named = Product.caller(Map.of("COPPICE_PATH_PORTS", "0"));
                var http = HttpClient.newHttpClient()) {
            var port = URI.create(named.coordinator().pathUrls().getFirst());
            var operator = text(named.post("/tokens", "{\"role\":\"operator\"}"), "token");
            assertThat(started(http, port.resolve("/t/" + operator + "/runs"))).isEqualTo(201);
            assertThat(started(http, port.resolve("/t/" + named.token() + "/runs"))).isEqualTo(403);
            assertThat(started(http, port.resolve("/runs"))).isEqualTo(401);
            var own = URI.create(named.coordinator().url());
            assertThat(started(http, own.resolve("/t/" + operator + "/runs"))).isEqualTo(403);
        }
    }

    private static int started(HttpClient http, URI address)
            throws IOException, InterruptedException {
        var start = "{\"type\":\"start_session\",\"parameters\":{\"prompt\":\"x\"}}";
        var request =
                HttpRequest.newBuilder(address)
                        .POST(HttpRequest.BodyPublishers.ofString(start))
                        .build();
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    @Test
    void row_6_a_runners_token_starts_and_resumes_sessions_and_removes_none() {
        var runner = server.coordinator().tokens().issue(dev.coppice.access.Caller.as(Role.RUNNER));
        var bearer = Map.of("Authorization", "Bearer " + runner);
        var start =
                "{\"type\":\"start_session\",\"parameters\":{\"prompt\":\"x\"},\"session_id\":\"c\"}";
        assertThat(server.send("POST", "/runs", start, bearer).status()).isEqualTo(201);
        server.post("/sessions/c/stop", "{}");
        var resume =
                "{\"type\":\"resume_session\",\"parameters\":{\"prompt\":\"x\"},\"session_id\":\"c\"}";
        assertThat(server.send("POST", "/runs", resume, bearer).status()).isEqualTo(201);
        assertThat(server.send("DELETE", "/sessions/c", "", bearer).status()).isEqualTo(403);
    }

    @Test
    void row_7_every_run_demands_the_type_of_its_executor() throws IOException {
        replayed("runner", "\"executor_type\":\"procedural\"");
    }

    @Test
    void row_8_lists_are_whole_unless_a_page_is_asked_for() {
        var ids = new HashSet<String>();
        for (int i = 0; i < 1_125; i++) ids.add(session("s" + i));
        var whole = plain("GET", "/sessions", "").json();
        assertThat(idsOf(whole)).isEqualTo(ids);
        assertThat(whole.get("next").isNull()).isTrue();
        assertThat(plain("GET", "/sessions?status=running", "").json().get("sessions")).isEmpty();
        var page = plain("GET", "/sessions?limit=10", "").json();
        assertThat(page.get("sessions").size()).isEqualTo(10);
        assertThat(text(page, "next")).isNotBlank();
        assertThat(server.get("/sessions").get("sessions").size()).isEqualTo(100);
        assertThat(plain("GET", "/sessions?status=odd", "").status()).isEqualTo(422);
    }

    private static java.util.Set<String> idsOf(JsonNode page) {
        var ids = new HashSet<String>();
        page.get("sessions").forEach(s -> ids.add(String.valueOf(text(s, "session_id"))));
        return ids;
    }

    @Test
    void row_9_the_result_has_the_key_that_the_commands_read() throws IOException {
        replayed("commands", "\"result\":\"the answer\"");
    }

    @Test
    void row_10_registries_are_empty_and_runners_may_have_agents() throws IOException {
        replayed("dashboard", "/capabilities", "/scripts/none/download", "/mcp-servers");
        replayed("runner", "\"agents\":[");
    }

    @Test
    void row_11_a_registered_scripts_name_is_not_played_as_a_script() throws IOException {
        replayed("dashboard", "\"script\":\"deploy\"");
    }

    @Test
    void row_12_a_runner_that_was_removed_learns_it_from_its_poll() throws IOException {
        replayed("runner", "{\"deregistered\":true}");
    }

    /** The poll that is waiting just then is answered, too. */
    @Test
    void row_12_a_waiting_poll_is_answered_at_once() throws Exception {
        var runner =
                text(
                        server.post(
                                "/runner/register",
                                "{\"hostname\":\"h\",\"project_dir\":\"/p\",\"executor_profile\":\"x\"}"),
                        "runner_id");
        var poll =
                CompletableFuture.supplyAsync(() -> server.get("/runner/runs?runner_id=" + runner));
        var removed = server.client().delete("/runners/" + runner);
        assertThat(removed.isGood()).isTrue();
        assertThat(poll.get(20, TimeUnit.SECONDS).toString()).isEqualTo("{\"deregistered\":true}");
    }

    @Test
    void row_13_validation_is_422_and_refusals_have_a_sentence() throws IOException {
        replayed("commands", "< 422", "> DELETE /sessions/one\n< 409 {\"detail\":\"*text\"}");
        replayed("commands", "> POST /runs {\"type\":\"start_session\"}\n< 422");
    }

    @Test
    void row_14_a_pending_session_is_deleted_at_once() throws IOException {
        replayed("commands", "> DELETE /sessions/pending");
    }

    @Test
    void row_15_force_needs_no_reason_and_the_audit_says_so() {
        session("s");
        server.post("/sessions/s/bind", "{}");
        var forced = McpPeer.confirmed(server, "{\"session_id\":\"s\",\"force\":true}");
        var call =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":%s}"
                        .formatted(McpPeer.call("delete_session", forced));
        var answer =
                server.client()
                        .call(
                                "POST",
                                "/mcp",
                                Json.read(call),
                                Map.of("MCP-Protocol-Version", "2025-11-25"));
        var deleted = answer.body().path("result").path("structuredContent");
        assertThat(deleted.path("success").asBoolean()).as("%s", answer.body()).isTrue();
        assertThat(deleted.path("work_preserved").asBoolean()).isTrue();
        assertThat(server.get("/audit?session_id=s").toString()).contains("no reason given");
    }

    /** Makes sure that the exchange which proves a row is still replayed. */
    private static void replayed(String client, String... parts) throws IOException {
        assertThat(ReplayTest.exchanges(client)).contains(parts);
    }

    @Test
    void an_expired_or_revoked_token_is_refused_and_a_confined_one_sees_only_its_tree() {
        session("plan");
        session("other");
        server.post("/sessions", "{\"session_id\":\"below\",\"parent_session_id\":\"plan\"}");
        var made =
                server.post("/tokens", "{\"role\":\"viewer\",\"below\":\"plan\",\"label\":\"ci\"}");
        var bearer = Map.of("Authorization", "Bearer " + text(made, "token"));
        assertThat(idsOf(server.send("GET", "/sessions", "", bearer).json()))
                .containsExactlyInAnyOrder("plan", "below");
        assertThat(server.send("GET", "/sessions/other", "", bearer).status()).isEqualTo(404);
        for (var shared : List.of("/audit", "/runners", "/tokens", "/fsck")) {
            assertThat(server.send("GET", shared, "", bearer).status()).as(shared).isEqualTo(403);
        }
        var listed = server.get("/tokens").get("tokens").get(0);
        assertThat(text(listed, "below_name")).isEqualTo("plan");
        assertThat(server.get("/tokens").toString()).doesNotContain(text(made, "token"));
        var id = text(made.get("view"), "token_id");
        assertThat(server.client().delete("/tokens/" + id).isGood()).isTrue();
        assertThat(server.send("GET", "/sessions", "", bearer).status()).isEqualTo(401);
        assertThat(server.client().delete("/tokens/" + id).status()).isEqualTo(404);
        var audit = server.get("/audit").toString();
        assertThat(audit).contains("create_token", "revoke_token", "role=viewer");
        assertThat(audit).doesNotContain(text(made, "token"));
        var brief = token("{\"role\":\"viewer\",\"expires\":\"1s\"}");
        var soon = Map.of("Authorization", "Bearer " + brief);
        Eventually.await(
                () -> server.send("GET", "/sessions", "", soon).status() == 401,
                () -> "it has not expired");
    }

    @Test
    void a_token_does_not_outlive_the_one_that_created_it() {
        var brief = token("{\"role\":\"operator\",\"expires\":\"1h\"}");
        var bearer = Map.of("Authorization", "Bearer " + brief);
        var made = server.send("POST", "/tokens", "{\"role\":\"operator\"}", bearer).json();
        assertThat(text(made.get("view"), "expires_at"))
                .isEqualTo(text(server.get("/tokens").get("tokens").get(0), "expires_at"));
    }

    @Test
    void a_confined_token_dies_with_its_session() {
        session("plan");
        var bearer =
                Map.of(
                        "Authorization",
                        "Bearer " + token("{\"role\":\"ingest\",\"below\":\"plan\"}"));
        var event = "{\"event_type\":\"note\"}";
        assertThat(server.send("POST", "/sessions/plan/events", event, bearer).status())
                .isEqualTo(201);
        var removal = text(server.client().delete("/sessions/plan").body(), "removal_id");
        assertThat(server.send("POST", "/sessions/plan/events", event, bearer).status())
                .isEqualTo(401);
        assertThat(server.get("/tokens").toString()).contains("ingest");
        server.post("/removals/" + removal + "/undo?wait=20s", "{}");
        assertThat(server.send("POST", "/sessions/plan/events", event, bearer).status())
                .isEqualTo(201);
        assertThat(server.refused("/tokens", "{\"role\":\"operator\",\"below\":\"plan\"}").status())
                .isEqualTo(400);
    }
}
