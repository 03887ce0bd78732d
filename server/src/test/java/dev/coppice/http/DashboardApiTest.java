package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Role;
import dev.coppice.client.RawClient;
import dev.coppice.kernel.SessionId;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** The parts of the dashboard: its files, the sign-in, rows of trees, and the changes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardApiTest {
    private final Caller server = new Caller();

    @AfterAll
    void close() {
        server.close();
    }

    @Test
    void the_page_needs_no_token_and_lets_nothing_from_outside_in() {
        var page = server.send("GET", "/", "", Map.of());
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body()).contains("/ui/top/main.js").doesNotContain("style=", "onclick");
        assertThat(page.header("Content-Security-Policy"))
                .contains("default-src 'none'", "script-src 'self'", "trusted-types")
                .doesNotContain("unsafe");
        assertThat(page.header("Cache-Control")).isEqualTo("no-cache");
        assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
    }

    @Test
    void files_are_compressed_and_not_sent_again() {
        var plain = server.send("GET", "/ui/top/main.js", "", Map.of());
        assertThat(plain.header("Content-Type")).startsWith("text/javascript");
        var gzip = Map.of("Accept-Encoding", "gzip");
        assertThat(server.send("GET", "/ui/top/main.js", "", gzip).header("Content-Encoding"))
                .isEqualTo("gzip");
        var known = Map.of("If-None-Match", String.valueOf(plain.header("ETag")));
        assertThat(server.send("GET", "/ui/top/main.js", "", known).status()).isEqualTo(304);
    }

    @Test
    void only_files_of_the_dashboard_are_served() {
        for (var path :
                List.of(
                        "/ui/base/none.js",
                        "/ui/..%2f..%2f/main.js",
                        "/ui/base/..%2fAsset.class",
                        "/ui/base/DashboardRoutes.class",
                        "/ui/base/%00.js")) {
            assertThat(server.send("GET", path, "", Map.of()).status()).as(path).isIn(400, 404);
        }
    }

    @Test
    void a_link_signs_one_browser_in_and_then_works_no_more() {
        var link = server.post("/sign-in-links", "{}");
        var code = Json.write(Map.of("code", text(link, "code")));
        assertThat(text(link, "path")).isEqualTo("/#sign-in=" + text(link, "code"));
        var signedIn = server.send("POST", "/sign-ins", code, Map.of()).json();
        var browser = client(text(signedIn, "token"));
        var caller = browser.get("/caller").body();
        assertThat(text(caller, "role")).isEqualTo("operator");
        assertThat(text(caller, "expires_at")).isNotNull();
        var again = server.send("POST", "/sign-ins", code, Map.of());
        assertThat(again.status()).isEqualTo(404);
        assertThat(text(again.json(), "code")).isEqualTo("sign_in_unknown");
        assertThat(browser.delete("/sign-ins").status()).isEqualTo(204);
        assertThat(browser.get("/caller").status()).isEqualTo(401);
    }

    /** A cookie would go to every port of this machine. */
    @Test
    void no_answer_sets_a_cookie_and_none_is_a_token() {
        var code = Json.write(Map.of("code", text(server.post("/sign-in-links", "{}"), "code")));
        var signedIn = server.send("POST", "/sign-ins", code, Map.of());
        var token = text(signedIn.json(), "token");
        var bearer = Map.of("Authorization", "Bearer " + token);
        var read = server.send("GET", "/caller", "", bearer);
        assertThat(read.status()).isEqualTo(200);
        for (var sent : List.of(server.send("GET", "/", "", Map.of()), signedIn, read)) {
            assertThat(sent.header("Set-Cookie")).isNull();
        }
        var cookie = Map.of("Cookie", "token=" + token + "; Authorization=" + token);
        assertThat(server.send("GET", "/caller", "", cookie).status()).isEqualTo(401);
    }

    @Test
    void a_link_gives_no_more_than_its_maker_has() {
        session("confined", null);
        var viewer =
                server.post(
                        "/tokens",
                        "{\"role\":\"viewer\",\"below\":\"confined\",\"expires\":\"1h\"}");
        var link = client(text(viewer, "token")).post("/sign-in-links", Json.object()).body();
        var code = Json.write(Map.of("code", text(link, "code")));
        var signedIn = server.send("POST", "/sign-ins", code, Map.of()).json();
        var caller = signedIn.get("caller");
        assertThat(text(caller, "role")).isEqualTo("viewer");
        assertThat(text(caller, "below")).isEqualTo("confined");
        assertThat(text(caller, "expires_at")).isEqualTo(text(viewer.get("view"), "expires_at"));
        var agent = dev.coppice.access.Caller.agent(new SessionId("confined"));
        assertThat(server.as(agent).post("/sign-in-links", Json.object()).status()).isEqualTo(403);
        var trees = client(text(signedIn, "token")).get("/trees").body().get("trees");
        assertThat(ids(trees)).containsExactly("confined");
        end("confined");
    }

    @Test
    void a_browser_is_signed_in_no_longer_than_the_token_of_its_link() {
        var maker = server.post("/tokens", "{\"role\":\"viewer\"}");
        var viewer = client(text(maker, "token"));
        var unused = text(viewer.post("/sign-in-links", Json.object()).body(), "code");
        var browser = client(text(signIn(viewer), "token"));
        // A browser's own link is one of the token that its link came from.
        var second = client(text(signIn(browser), "token"));
        assertThat(second.get("/caller").status()).isEqualTo(200);
        var id = text(maker.get("view"), "token_id");
        assertThat(server.client().delete("/tokens/" + id).status()).isEqualTo(204);
        assertThat(browser.get("/caller").status()).isEqualTo(401);
        assertThat(second.get("/caller").status()).isEqualTo(401);
        var code = Json.write(Map.of("code", unused));
        assertThat(server.send("POST", "/sign-ins", code, Map.of()).status()).isEqualTo(404);
    }

    @Test
    void links_of_one_token_do_not_push_out_those_of_another() {
        var mine = text(server.post("/sign-in-links", "{}"), "code");
        var viewer = client(text(server.post("/tokens", "{\"role\":\"viewer\"}"), "token"));
        for (int i = 0; i < 120; i++) viewer.post("/sign-in-links", Json.object());
        var code = Json.write(Map.of("code", mine));
        assertThat(server.send("POST", "/sign-ins", code, Map.of()).status()).isEqualTo(201);
        var first = client(text(signIn(viewer), "token"));
        for (int i = 0; i < 20; i++) signIn(viewer);
        assertThat(first.get("/caller").status()).isEqualTo(401);
    }

    private JsonNode signIn(RawClient maker) {
        var link = maker.post("/sign-in-links", Json.object()).body();
        var code = Json.write(Map.of("code", text(link, "code")));
        return server.send("POST", "/sign-ins", code, Map.of()).json();
    }

    @Test
    void a_forged_code_is_refused() {
        var code = text(server.post("/sign-in-links", "{}"), "code");
        for (var forged : List.of("x", code + "x", "sign-in.000000000000." + code)) {
            var body = Json.write(Map.of("code", forged));
            assertThat(server.send("POST", "/sign-ins", body, Map.of()).status()).isEqualTo(404);
        }
        // A code is no token.
        assertThat(client(code).get("/sessions").status()).isEqualTo(401);
    }

    @Test
    void signing_out_revokes_only_the_token_of_a_browser() {
        var made = server.post("/tokens", "{\"role\":\"operator\",\"label\":\"a program\"}");
        var program = client(text(made, "token"));
        assertThat(program.delete("/sign-ins").status()).isEqualTo(204);
        assertThat(program.get("/caller").status()).isEqualTo(200);
    }

    @Test
    void rows_of_a_tree_have_sums_questions_and_folds() {
        session("top", null);
        for (int i = 0; i < 25; i++) session("kid-" + i, "top");
        session("below", "kid-3");
        server.post(
                "/sessions/below/events",
                "{\"event_type\":\"question\",\"question\":\"Which"
                        + " branch?\",\"options\":[\"main\"]}");
        var closed = outline("top", "levels=0");
        assertThat(closed.get("total").asInt()).isOne();
        var tally = closed.get("rows").get(0).get("tally");
        assertThat(tally.get("all").asInt()).isEqualTo(27);
        assertThat(tally.get("asking").asInt()).isOne();
        var open = outline("top", "levels=1");
        assertThat(ids(open.get("rows"))).containsExactly("top", "top/subagent", "kid-3");
        var revealed = outline("top", "levels=0&reveal=below");
        assertThat(revealed.get("place").asInt()).isEqualTo(3);
        assertThat(revealed.get("opened").toString()).contains("top", "kid-3");
        var next = outline("top", "levels=0&next=asking");
        assertThat(text(next, "revealed")).isEqualTo("below");
        var asked = next.get("rows").get(next.get("place").asInt()).get("question");
        assertThat(text(asked, "text")).isEqualTo("Which branch?");
        assertThat(asked.get("options").toString()).isEqualTo("[\"main\"]");
        assertThat(text(asked, "answer")).isEqualTo("elsewhere");
        var filtered = outline("top", "levels=0&states=asking");
        assertThat(ids(filtered.get("rows"))).containsExactly("top", "kid-3", "below");
        assertThat(outline("top", "levels=9&text=KID-1&limit=3").get("total").asInt())
                .isEqualTo(12);
        assertThat(outline("top", "levels=0&next=failed").get("revealed").isNull()).isTrue();
        end("below");
        assertThat(outline("top", "levels=0&next=asking").get("revealed").isNull()).isTrue();
    }

    @Test
    void an_event_that_only_mentions_a_question_asks_nobody() {
        session("quoting", null);
        server.post(
                "/sessions/quoting/events",
                "{\"event_type\":\"note\",\"text\":\"the field \\\"humanInTheLoop\\\": {}\"}");
        server.post(
                "/sessions/quoting/events",
                "{\"event_type\":\"note\",\"fields\":[\"humanInTheLoop\"]}");
        var tally = outline("quoting", "levels=0").get("tree");
        assertThat(tally.get("asking").asInt()).isZero();
    }

    @Test
    void a_session_of_another_tree_is_not_revealed() {
        session("here", null);
        session("elsewhere", null);
        assertThat(outline("here", "reveal=elsewhere").get("revealed").isNull()).isTrue();
    }

    @Test
    void an_outline_is_refused_in_words() {
        session("refusing", null);
        var many = String.join(",", java.util.Collections.nCopies(3, "x"));
        assertThat(server.client().get("/sessions/none/outline").status()).isEqualTo(404);
        var state = server.client().get("/sessions/refusing/outline?states=tired");
        assertThat(state.status()).isEqualTo(400);
        assertThat(text(state.body(), "error")).contains("tired", "asking or one of");
        assertThat(server.client().get("/sessions/refusing/outline?opened=" + many).status())
                .isEqualTo(200);
        var ids = new ArrayList<String>();
        for (int i = 0; i < 201; i++) ids.add("s" + i);
        var tooMany = "/sessions/refusing/outline?opened=" + String.join(",", ids);
        assertThat(text(server.client().get(tooMany).body(), "error")).contains("201 ids");
    }

    @Test
    void trees_are_listed_newest_first_and_the_live_ones_alone() {
        session("older", null);
        session("newer", null);
        end("newer");
        var all = ids(server.get("/trees?limit=2").get("trees"));
        assertThat(all.getFirst()).isEqualTo("newer");
        var live = ids(server.get("/trees?live=true").get("trees"));
        assertThat(live).contains("older").doesNotContain("newer");
        var first = server.get("/trees?limit=1");
        var second = server.get("/trees?limit=1&after=" + text(first, "next"));
        assertThat(ids(second.get("trees"))).doesNotContain("newer");
    }

    @Test
    void changes_tell_which_sessions_have_events_and_what_was_missed() {
        session("changing", null);
        var frames = new ArrayList<JsonNode>();
        server.client()
                .follow(
                        "/sse/changes",
                        frame -> {
                            frames.add(Json.read(frame.data()));
                            if (frames.size() == 1) report("changing");
                            return frames.size() < 2;
                        });
        assertThat(frames.get(0).get("count").asLong()).isZero();
        assertThat(frames.get(1).get("sessions").toString()).isEqualTo("[\"changing\"]");
        var missed = new ArrayList<JsonNode>();
        server.client()
                .follow(
                        "/sse/changes?after=" + frames.get(0).get("number"),
                        frame -> !missed.add(Json.read(frame.data())));
        assertThat(missed.getFirst().get("sessions").isNull()).isTrue();
    }

    @Test
    void a_confined_reader_hears_of_its_own_tree_only() {
        session("mine", null);
        session("other", null);
        var token =
                text(server.post("/tokens", "{\"role\":\"viewer\",\"below\":\"mine\"}"), "token");
        var frames = new ArrayList<JsonNode>();
        client(token)
                .follow(
                        "/sse/changes",
                        frame -> {
                            frames.add(Json.read(frame.data()));
                            if (frames.size() == 1) {
                                report("other");
                                report("mine");
                            }
                            return frames.size() < 2;
                        });
        assertThat(frames.get(1).get("sessions").toString()).isEqualTo("[\"mine\"]");
    }

    @Test
    void a_confined_reader_gets_heartbeats_while_others_are_busy() throws Exception {
        session("calm", null);
        session("busy", null);
        var token =
                text(server.post("/tokens", "{\"role\":\"viewer\",\"below\":\"calm\"}"), "token");
        var request =
                HttpRequest.newBuilder(
                                URI.create(server.coordinator().url()).resolve("/sse/changes"))
                        .header("Authorization", "Bearer " + token)
                        .build();
        try (var client = HttpClient.newHttpClient();
                var lines = client.send(request, HttpResponse.BodyHandlers.ofLines()).body()) {
            var isOver = new AtomicBoolean();
            var reports =
                    Thread.ofVirtual()
                            .start(() -> {
                                while (!isOver.get()) report("busy");
                            });
            assertThat(lines.anyMatch(": heartbeat"::equals)).isTrue();
            isOver.set(true);
            reports.join();
        }
    }

    @Test
    void relations_say_how_they_are_known() {
        session("above", null);
        session("beneath", "above");
        var relations = server.get("/sessions/beneath/relations").get("relations");
        assertThat(relations.size()).isOne();
        assertThat(text(relations.get(0), "session_id")).isEqualTo("above");
        assertThat(text(relations.get(0), "side")).isEqualTo("parent");
        assertThat(text(relations.get(0), "type")).isEqualTo("parent/child");
        assertThat(text(relations.get(0), "evidence")).isEqualTo("started");
        assertThat(relations.get(0).get("confidence").asInt()).isEqualTo(100);
    }

    @Test
    void the_storage_names_what_takes_space() {
        session("big", null);
        var storage = server.get("/storage");
        assertThat(storage.get("bytes").asLong()).isGreaterThan(0);
        assertThat(storage.get("tables").toString()).contains("\"event\"");
        assertThat(text(storage.get("trees").get(0), "session_id")).isNotNull();
        assertThat(storage.get("events").toString()).contains("session_created");
    }

    @Test
    void who_asks_is_shown_before_all_that_is_newer() {
        session("patient", null);
        server.post(
                "/sessions/patient/events",
                "{\"event_type\":\"question\",\"question\":\"Which one?\"}");
        for (int i = 0; i < 5; i++) session("newer-" + i, null);
        var activity = server.get("/activity?limit=3");
        var first = activity.get("sessions").get(0);
        assertThat(text(first, "session_id")).isEqualTo("patient");
        // A session without a run has nobody who takes messages.
        assertThat(text(first.get("question"), "answer")).isEqualTo("elsewhere");
        assertThat(activity.get("sessions").size()).isEqualTo(3);
        assertThat(activity.get("sum").get("asking").asInt()).isPositive();
        assertThat(activity.get("sum").get("live").asInt()).isGreaterThan(5);
        // The field of the hook server's programs is answered only if one of them sent it.
        server.post(
                "/sessions/patient/events",
                "{\"event_type\":\"x\",\"humanInTheLoop\":{\"question\":\"May I?\"}}");
        first = server.get("/activity?limit=1").get("sessions").get(0);
        assertThat(text(first.get("question"), "text")).isEqualTo("May I?");
        assertThat(text(first.get("question"), "answer")).isEqualTo("elsewhere");
        end("patient");
    }

    @Test
    void a_root_is_placed_under_a_parent_and_spans_follow() {
        session("tall", null);
        session("lost", null);
        session("leaf", "lost");
        var placed = server.post("/sessions/lost/attach", "{\"parent_session_id\":\"tall\"}");
        assertThat(text(placed.get("session"), "path")).isEqualTo("tall.lost");
        var spans = server.get("/sessions/tall/spans");
        assertThat(spans.get("total").asInt()).isEqualTo(3);
        assertThat(spans.get("spans").toString()).contains("\"leaf\"");
        var again = server.refused("/sessions/lost/attach", "{\"parent_session_id\":\"tall\"}");
        assertThat(text(again.body(), "code")).isEqualTo("parent_is_fixed");
        var audit = server.get("/audit?limit=5").toString();
        assertThat(audit).contains("attach_session");
        var since = spans.get("at").asLong() + 60_000;
        var later = server.get("/sessions/tall/spans?since=" + since);
        assertThat(later.get("spans").size()).isZero();
        assertThat(later.get("total").asInt()).isEqualTo(3);
    }

    @Test
    void a_blueprint_is_checked_and_not_stored() {
        var good = "{\"name\":\"checked\",\"command\":[\"true\"]}";
        assertThat(text(server.post("/blueprint-checks", good), "name")).isEqualTo("checked");
        assertThat(server.client().get("/agents/checked").status()).isEqualTo(404);
        var bad = server.refused("/blueprint-checks", "{\"name\":\"x\",\"comand\":[\"true\"]}");
        assertThat(text(bad.body(), "error")).contains("comand");
    }

    private RawClient client(String token) {
        return new RawClient(URI.create(server.coordinator().url()), token);
    }

    private void session(String id, String parent) {
        var body = Json.object().put("session_id", id).put("session_name", id);
        if (parent != null) body.put("parent_session_id", parent);
        var made = server.as(dev.coppice.access.Caller.as(Role.ADMIN)).post("/sessions", body);
        assertThat(made.status()).as(made.body().toString()).isEqualTo(201);
    }

    private void end(String id) {
        server.post("/sessions/" + id + "/stop?wait=10s", "{}");
    }

    private void report(String id) {
        server.post("/sessions/" + id + "/events", "{\"event_type\":\"note\"}");
    }

    private JsonNode outline(String top, String query) {
        return server.get("/sessions/%s/outline?%s".formatted(top, query));
    }

    private static List<String> ids(JsonNode rows) {
        var ids = new ArrayList<String>();
        for (var row : rows) ids.add(String.valueOf(text(row, "id")));
        return ids;
    }
}
