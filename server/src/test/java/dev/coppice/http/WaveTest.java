package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.client.RawClient;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.zip.ZipFile;

/** Waves over HTTP, with a runner that does what the test says. */
class WaveTest {
    private final Caller server = new Caller();
    private final String runner =
            String.valueOf(
                    text(
                            server.post(
                                    "/runner/register",
                                    "{\"hostname\":\"h\",\"project_dir\":\"/\",\"executor_profile\":\"p\",\"protocol\":\"coppice/1\",\"holds\":[]}"),
                            "runner_id"));

    @AfterEach
    void close() {
        server.close();
    }

    /** Claims the next run and starts it; returns its order. */
    private JsonNode claimed() {
        var claim = new JsonNode[1];
        Eventually.await(
                () -> {
                    claim[0] = server.get("/runner/runs?runner_id=" + runner).get("run");
                    return claim[0] != null && !claim[0].isNull();
                },
                () -> "nothing to claim");
        report(claim[0], "started", "{}");
        return claim[0];
    }

    private void report(JsonNode claim, String what, String more) {
        var body = (tools.jackson.databind.node.ObjectNode) Json.read(more);
        body.put("runner_id", runner).put("fence", claim.get("fence").asLong());
        server.post("/runner/runs/" + text(claim, "run_id") + "/" + what, body.toString());
    }

    private void finish(JsonNode claim, String result) {
        report(claim, "completed", "{\"result_text\":\"%s\"}".formatted(result));
    }

    private static String prompt(JsonNode claim) {
        return claim.get("parameters").get("prompt").asString();
    }

    private String start(String plan) {
        return String.valueOf(text(server.post("/waves", plan), "wave_id"));
    }

    private JsonNode wave(String id) {
        return server.get("/waves/" + id);
    }

    private static List<String> states(JsonNode wave) {
        var states = new ArrayList<String>();
        for (var member : wave.get("members")) {
            states.add(text(member, "name") + " " + text(member, "state"));
        }
        return states;
    }

    @Test
    void members_start_in_the_order_of_their_needs_and_pass_results_on() {
        var id =
                start(
                        """
                        {"name":"review","parameters":{"repo":"web"},"members":[
                        {"name":"fix","after":["scan"],"prompt":"fix ${results.scan} as ${member}"},
                        {"name":"scan","prompt":"scan ${params.repo} for $${results.scan}"}]}
                        """);
        var scan = claimed();
        assertThat(prompt(scan)).isEqualTo("scan web for ${results.scan}");
        assertThat(states(wave(id))).containsExactly("fix waiting", "scan running");
        finish(scan, "a leak ${params.repo}");
        var fix = claimed();
        assertThat(prompt(fix)).isEqualTo("fix a leak ${params.repo} as fix");
        finish(fix, "mended");
        var over = server.get("/waves/" + id + "?wait=30s");
        assertThat(text(over, "state")).isEqualTo("finished");
        assertThat(over.get("progress").asDouble()).isEqualTo(1);
        assertThat(over.get("critical_path").size()).isEqualTo(2);
    }

    /** Four of these made healthy runs fail, because no lease could be renewed meanwhile. */
    @Test
    void a_slow_schema_of_a_request_with_a_key_holds_up_no_other_write() throws Exception {
        var value = "{}";
        for (int i = 0; i < 40; i++) value = "{\"x\":" + value + "}";
        var plan =
                Json.read(
                        """
                        {"name":"slow","members":[{"name":"a","prompt":"x"}],"parameters":%s,
                        "parameters_schema":{"definitions":{"a":{"properties":{"x":{"allOf":[
                        {"$ref":"#/definitions/a"},{"$ref":"#/definitions/a"}]}}}},
                        "allOf":[{"$ref":"#/definitions/a"}]}}\
                        """
                                .formatted(value));
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var key = Map.of("Idempotency-Key", "slow");
            var wave = callers.submit(() -> server.client().call("POST", "/waves", plan, key));
            for (int i = 0; i < 4; i++) {
                server.post("/sessions", "{\"session_name\":\"beside-%d\"}".formatted(i));
            }
            assertThat(wave.isDone()).isFalse();
            assertThat(wave.get().isGood()).isFalse();
        }
    }

    @Test
    void a_wave_below_a_session_makes_members_of_its_tree() {
        server.post("/sessions", "{\"session_id\":\"top\",\"session_name\":\"top\"}");
        var id =
                start(
                        "{\"parent_session_name\":\"top\",\"concurrency\":1,\"members\":["
                            + "{\"name\":\"a\",\"prompt\":\"x\"},{\"name\":\"b\",\"prompt\":\"x\"}]}");
        var first = claimed();
        var wave = wave(id);
        assertThat(states(wave)).containsExactly("a running", "b waiting");
        var session = text(wave.get("members").get(0), "session_id");
        assertThat(text(server.get("/sessions/" + session).get("session"), "session_type"))
                .isEqualTo("wave");
        assertThat(
                        server.stored(
                                "select relationship_type from session_relationships"
                                        + " where parent_session_id = 'top'"))
                .isEqualTo("wave_member");
        finish(first, "done");
        finish(claimed(), "done");
        assertThat(
                        server.stored(
                                "select count(distinct session_id) from events where wave_id = '"
                                        + id
                                        + "'"))
                .isEqualTo("2");
        assertThat(text(server.get("/waves/" + id + "?wait=30s"), "state")).isEqualTo("finished");
        var agent = server.as(dev.coppice.access.Caller.agent(new SessionId("top")));
        assertThat(agent.get("/waves/" + id).status()).isEqualTo(200);
        assertThat(agent.get("/waves").body().get("waves").size()).isEqualTo(1);
        var below = new SessionId(String.valueOf(session));
        var other = server.as(dev.coppice.access.Caller.agent(below));
        assertThat(other.get("/waves/" + id).status()).isEqualTo(404);
    }

    @Test
    void what_a_wave_of_a_person_sets_is_lifted_by_people_alone() {
        server.post("/sessions", "{\"session_id\":\"top\",\"session_name\":\"top\"}");
        var plan =
                "{\"parent_session_id\":\"top\",\"members\":["
                        + "{\"name\":\"a\",\"prompt\":\"x\",\"budget\":{\"runs\":5}}]}";
        var agent = server.as(dev.coppice.access.Caller.agent(new SessionId("top")));
        var ofAgent = agent.call("POST", "/waves", Json.read(plan), Map.of()).body();
        finish(claimed(), "done");
        assertThat(raised(agent, text(ofAgent, "wave_id"))).isEqualTo(200);
        var ofPerson = start(plan);
        finish(claimed(), "done");
        assertThat(raised(agent, ofPerson)).isEqualTo(403);
    }

    private int raised(RawClient agent, @Nullable String wave) {
        var member = wave(String.valueOf(wave)).get("members").get(0);
        var budget = "/sessions/" + text(member, "session_id") + "/budget";
        return agent.call("PUT", budget, Json.read("{\"runs\":9}"), Map.of()).status();
    }

    @Test
    void a_removal_hides_a_wave_and_an_undo_brings_it_back() {
        server.post("/sessions", "{\"session_id\":\"top\",\"session_name\":\"top\"}");
        var id =
                start(
                        "{\"parent_session_id\":\"top\",\"concurrency\":1,\"members\":["
                                + "{\"name\":\"a\",\"prompt\":\"x\"}]}");
        finish(claimed(), "done");
        assertThat(text(server.get("/waves/" + id + "?wait=30s"), "state")).isEqualTo("finished");
        var removal = server.post("/sessions/top/removal?wait=30s", "{\"children\":\"cascade\"}");
        assertThat(server.client().get("/waves/" + id).status()).isEqualTo(404);
        server.post("/removals/" + text(removal, "removal_id") + "/undo", "{}");
        Eventually.await(
                () -> server.client().get("/waves/" + id).status() == 200, () -> "still hidden");
        assertThat(states(wave(id))).containsExactly("a finished");
    }

    @Test
    void a_restore_brings_back_a_wave_whose_waiting_members_stay_unstarted() throws Exception {
        server.post("/sessions", "{\"session_id\":\"top\",\"session_name\":\"top\"}");
        var id =
                start(
                        "{\"parent_session_id\":\"top\",\"concurrency\":1,\"members\":["
                            + "{\"name\":\"a\",\"prompt\":\"x\"},{\"name\":\"b\",\"prompt\":\"x\",\"scope\":{\"k\":\"sesame\"}}]}");
        claimed();
        var file = text(server.post("/sessions/top/backup", "{}"), "file");
        var copy = "{\"file\":\"%s\",\"new_ids\":true,\"rename\":true}".formatted(file);
        var begun = server.post("/restores", copy);
        var ended = server.get("/removals/" + text(begun, "removal_id") + "?wait=20s");
        var top = text(ended, "session_id");
        var suffix = String.valueOf(top).substring("top".length());
        assertThat(states(wave(id + suffix))).containsExactly("a stopped", "b cancelled");
        assertThat(text(wave(id + suffix).get("members").get(1), "reason")).contains("backup");
        assertThat(states(wave(id))).containsExactly("a running", "b waiting");
        assertThat(text(server.post("/sessions/" + top + "/backup", "{}"), "file")).isNotNull();
        var path = server.directory().resolve("backups").resolve(String.valueOf(file));
        try (var zip = new ZipFile(path.toFile())) {
            var plans = zip.getInputStream(zip.getEntry("wave_plans.jsonl")).readAllBytes();
            assertThat(new String(plans, StandardCharsets.UTF_8))
                    .contains("prompt")
                    .doesNotContain("sesame");
        }
    }

    @Test
    void a_stop_cancels_what_waits_and_stops_what_works() {
        var id =
                start(
                        "{\"concurrency\":1,\"members\":["
                            + "{\"name\":\"a\",\"prompt\":\"x\"},{\"name\":\"b\",\"prompt\":\"x\"}]}");
        claimed();
        var stopped = server.post("/waves/" + id + "/stop", "{\"reason\":\"enough\"}");
        assertThat(states(stopped)).containsExactly("a stopping", "b cancelled");
        assertThat(text(stopped.get("members").get(1), "reason")).isEqualTo("enough");
    }

    @Test
    void a_start_names_its_wave() {
        server.post("/runs", "{\"session_name\":\"a\",\"prompt\":\"x\",\"wave_id\":\"w-1\"}");
        server.post("/runs", "{\"session_name\":\"b\",\"prompt\":\"x\",\"wave_id\":\"w-1\"}");
        assertThat(states(wave("w-1"))).containsExactly("a pending", "b pending");
        assertThat(text(wave("w-1"), "state")).isEqualTo("running");
        var refused = server.refused("/runs", "{\"prompt\":\"x\",\"wave_id\":\"no wave\"}");
        assertThat(refused.body().toString()).contains("wave_id");
    }

    @Test
    void a_plan_that_cannot_work_is_refused_as_a_whole() {
        record Bad(String members, String says) {}
        for (var bad :
                List.of(
                        new Bad("{\"name\":\"a\",\"after\":[\"b\"]}", "the name of a member"),
                        new Bad(
                                "{\"name\":\"a\",\"after\":[\"b\"]},{\"name\":\"b\",\"below\":\"a\"}",
                                "do not need each other"),
                        new Bad("{\"name\":\"a\"},{\"name\":\"a\"}", "different names"),
                        new Bad("{\"name\":\"a b\"}", "members[0].name"),
                        new Bad("{\"prompt\":\"x\"}", "name"),
                        new Bad("7", "members[0]"),
                        new Bad("{\"name\":\"a\",\"promt\":\"x\"}", "a.promt"),
                        new Bad("{\"name\":\"a\",\"wave_id\":\"w\"}", "a.wave_id"),
                        new Bad("{\"name\":\"a\",\"prompt\":\"${params.x}\"}", "${params.x}"),
                        new Bad("{\"name\":\"a\",\"prompt\":\"${results.a}\"}", "${results.a}"),
                        new Bad("{\"name\":\"a\",\"agent_name\":\"nobody\"}", "nobody"),
                        new Bad("{\"name\":\"a\",\"limits\":{\"depth\":-1}}", "depth"))) {
            var refused = server.refused("/waves", "{\"members\":[" + bad.members() + "]}");
            assertThat(refused.status()).as(bad.members()).isBetween(400, 404);
            assertThat(refused.body().toString()).contains(bad.says());
        }
        assertThat(server.get("/waves").get("waves").size()).isZero();
        var wrong =
                server.refused(
                        "/waves",
                        "{\"parameters_schema\":{\"required\":[\"repo\"]},\"members\":[]}");
        assertThat(wrong.body().toString()).contains("repo");
    }

    @Test
    void a_dry_run_starts_nothing() {
        var plan =
                server.post(
                        "/waves",
                        "{\"dry_run\":true,\"members\":[{\"name\":\"a\",\"prompt\":\"x\"},"
                                + "{\"name\":\"b\",\"after\":[\"a\"],\"prompt\":\"x\"}]}");
        assertThat(text(plan, "state")).isEqualTo("planned");
        assertThat(plan.get("members").get(1).get("level").asInt()).isEqualTo(1);
        assertThat(server.get("/waves").get("waves").size()).isZero();
    }

    @Test
    void inserted_values_are_bounded() {
        var plan = Json.object().put("dry_run", true);
        plan.putObject("parameters").put("p", "x".repeat(10_000));
        var member = plan.putArray("members").addObject();
        member.put("name", "a").put("prompt", "${params.p}".repeat(200));
        var refused = server.client().post("/waves", plan);
        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.body().toString()).contains("a with its placeholders");
    }

    @Test
    void a_session_name_may_have_placeholders() {
        var id =
                start(
                        "{\"members\":[{\"name\":\"a\",\"session_name\":\"${member}-x\",\"prompt\":\"x\"}]}");
        claimed();
        assertThat(text(wave(id).get("members").get(0), "session_name")).isEqualTo("a-x");
    }

    @Test
    void a_hidden_wave_cannot_be_joined_and_a_stop_reaches_only_ones_own() {
        server.post("/sessions", "{\"session_id\":\"top\",\"session_name\":\"top\"}");
        server.post(
                "/runs",
                "{\"session_name\":\"mine\",\"parent_session_id\":\"top\",\"prompt\":\"x\",\"wave_id\":\"w\"}");
        server.post("/runs", "{\"session_name\":\"root\",\"prompt\":\"x\",\"wave_id\":\"w\"}");
        var agent = server.as(dev.coppice.access.Caller.agent(new SessionId("top")));
        var seen = agent.get("/waves/w").body();
        assertThat(states(seen)).containsExactly("mine pending");
        assertThat(agent.post("/waves/w/stop", Json.object()).status()).isEqualTo(200);
        assertThat(states(wave("w"))).containsExactly("mine stopped", "root pending");
        server.post("/sessions/top/removal?wait=30s", "{\"children\":\"cascade\"}");
        var refused = server.refused("/runs", "{\"prompt\":\"x\",\"wave_id\":\"w\"}");
        assertThat(refused.body().toString()).contains("a wave that you may see, or a new id");
    }
}
