package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Role;
import dev.coppice.kernel.SessionId;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Removal and undo as a client sees them, also by the seed's DELETE. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RemovalApiTest {
    private final Caller server = Product.caller();
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

    /** Creates a root with a child and a grandchild, all ended; returns its name. */
    private String ended() {
        var name = alive();
        for (var s : new String[] {"-leaf", "-kid", ""}) {
            server.post("/sessions/" + name + s + "/stop", "{}");
        }
        return name;
    }

    private String alive() {
        var name = "tree" + trees++;
        session(name, null);
        session(name + "-kid", name);
        session(name + "-leaf", name + "-kid");
        return name;
    }

    private void session(String id, @org.jspecify.annotations.Nullable String parent) {
        var body = Json.object().put("session_id", id).put("session_name", id);
        if (parent != null) body.put("parent_session_id", parent);
        server.post("/sessions", body.toString());
        // A session that is bound to a program is running.
        server.post("/sessions/" + id + "/bind", "{}");
    }

    private JsonNode deleted(String path) {
        var answer = server.client().delete(path);
        assertThat(answer.status()).as(String.valueOf(answer.body())).isEqualTo(200);
        return answer.body();
    }

    @Test
    void a_removal_lists_the_outcome_of_each_session_and_preserved_work() {
        var name = ended();
        var id = text(server.post("/sessions/" + name + "/removal?wait=20s", "{}"), "removal_id");
        var shown = server.get("/removals/" + id);
        assertThat(shown.get("outcomes").values())
                .extracting(o -> text(o, "session_id") + " " + text(o, "outcome"))
                .containsExactly(name + " hidden", name + "-kid hidden", name + "-leaf hidden");
        assertThat(shown.get("more_outcomes").isNull()).isTrue();
        assertThat(shown.get("preserved").isEmpty()).isTrue();
        assertThat(shown.get("steps").isEmpty()).isFalse();
        assertThat(shown.get("percent").asInt()).isPositive();
    }

    @Test
    void the_outcome_of_each_session_follows_the_state_of_the_removal() {
        var name = ended();
        var id = text(server.post("/sessions/" + name + "/removal?wait=20s", "{}"), "removal_id");
        var path = "/removals/" + id;
        server.post(path + "/undo?wait=20s", "{}");
        assertThat(outcomes(path)).containsOnly("restored");
        id = text(server.post("/sessions/" + name + "/removal?wait=20s", "{}"), "removal_id");
        path = "/removals/" + id;
        assertThat(server.get(path).get("steps").values())
                .extracting(s -> text(s, "step") + " " + text(s, "state"))
                .containsExactly(
                        "fence done",
                        "quiesce done",
                        "preserve done",
                        "back_up done",
                        "hide done",
                        "undo_window under_way",
                        "purge to_come");
        server.post(path + "/purge?wait=20s", "{}");
        assertThat(server.get(path + "?wait=20s").get("state").asString()).isEqualTo("purged");
        assertThat(outcomes(path)).containsOnly("deleted");
    }

    /** A full disk, or a directory of another user, fails in the same way. */
    @Test
    void a_removal_whose_work_cannot_be_stored_tells_its_caller_why() throws IOException {
        try (var alone = Product.caller();
                var runner = new WorkingRunner(alone, "stored1")) {
            runner.uploads();
            var name = runner.worked();
            var backups = Files.createDirectories(alone.directory().resolve("backups"));
            Files.writeString(backups.resolve("preserved"), "in the way");
            var answer = alone.client().delete("/sessions/" + name).body();
            assertThat(answer.get("ok").asBoolean()).isFalse();
            assertThat(text(answer, "reason"))
                    .contains("The backup was not written: cannot write '", "/preserved/");
            Files.delete(backups.resolve("preserved"));
        }
    }

    /** The runner of the session stays silent until the deadline. */
    @Test
    void sessions_and_directories_that_were_given_up_are_named() {
        var registered =
                server.post(
                        "/runner/register",
                        "{\"hostname\":\"far\",\"project_dir\":\"/\",\"executor_profile\":\"far\",\"protocol\":\"coppice/1\",\"holds\":[]}");
        var runner = text(registered, "runner_id");
        var started =
                server.post(
                        "/runs",
                        "{\"session_id\":\"far\",\"session_name\":\"far\",\"prompt\":\"x\",\"additional_demands\":{\"executor_profile\":\"far\"}}");
        var run = server.get("/runner/runs?runner_id=" + runner).get("run");
        server.post(
                "/runner/runs/" + text(started, "run_id") + "/started",
                "{\"runner_id\":\"%s\",\"fence\":%d,\"workplace\":{\"directory\":\"/there\",\"made\":false,\"outputs\":\"/runs\"}}"
                        .formatted(runner, run.get("fence").asLong()));
        var begun =
                server.post(
                        "/sessions/far/removal?wait=30s",
                        "{\"running\":\"stop\",\"critical\":\"override\",\"unreachable\":\"abandon\",\"deadline\":\"1s\",\"reason\":\"it"
                            + " is gone\"}");
        assertThat(text(begun, "state")).as(begun.toString()).isEqualTo("hidden");
        var shown = server.get("/removals/" + text(begun, "removal_id"));
        assertThat(shown.get("outcomes").get(0).get("was_given_up").asBoolean()).isTrue();
        assertThat(shown.get("not_preserved").toString()).contains("far", "/there", "no runner");
    }

    private List<String> outcomes(String path) {
        return server.get(path).get("outcomes").values().stream()
                .map(o -> String.valueOf(text(o, "outcome")))
                .toList();
    }

    /** No request asks for it: retention removes the tree, then its undo window closes. */
    @Test
    void an_ended_tree_is_removed_and_purged_when_its_time_is_up() {
        var soon = Map.of("COPPICE_UNDO_WINDOW", "1s", "COPPICE_KEEP_SESSIONS", "1s");
        try (var own = Product.caller(soon)) {
            own.post("/sessions", "{\"session_id\":\"top\",\"session_name\":\"top\"}");
            own.post("/sessions/top/stop", "{}");
            var until = System.nanoTime() + 20_000_000_000L;
            var removals = own.get("/removals").get("removals");
            while (removals.isEmpty() || !"purged".equals(text(removals.get(0), "state"))) {
                assertThat(System.nanoTime()).as(removals.toString()).isLessThan(until);
                removals = own.get("/removals").get("removals");
            }
            assertThat(own.client().get("/sessions/top").status()).isEqualTo(410);
            assertThat(own.get("/audit").toString()).contains("more than PT1S ago");
        }
    }

    @Test
    void the_original_delete_removes_the_children_and_counts_what_it_deleted() {
        var name = ended();
        var body = deleted("/sessions/" + name);
        assertThat(body.get("ok").asBoolean()).isTrue();
        assertThat(text(body, "session_id")).isEqualTo(name);
        assertThat(text(body, "removal_id")).startsWith("rem_");
        assertThat(body.get("deleted").get("session").asBoolean()).isTrue();
        assertThat(body.get("deleted").get("events_count").asInt()).isPositive();
        assertThat(body.get("deleted").get("runs_count").asInt()).isZero();
        assertThat(body.get("runs_removed_from_cache").asInt()).isZero();
        assertThat(body.get("cascaded_children_count").asInt()).isEqualTo(2);
        var ids = new ArrayList<String>();
        body.get("removed_session_ids").forEach(i -> ids.add(i.asString()));
        assertThat(ids).containsExactly(name, name + "-kid", name + "-leaf");
        assertThat(server.client().get("/sessions/" + name + "-leaf").status()).isEqualTo(410);
    }

    @Test
    void cascade_false_is_refused_while_there_are_children() {
        var name = ended();
        var answer = server.client().delete("/sessions/" + name + "?cascade=false");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(text(answer.body().get("detail"), "error")).isEqualTo("operation_error");
        assertThat(text(answer.body().get("detail").get("refusals").get(0), "code"))
                .isEqualTo("has_children");
        deleted("/sessions/" + name + "-leaf?cascade=false");
    }

    @Test
    void cleanup_agents_false_keeps_the_children_as_roots() {
        var name = ended();
        var body = deleted("/sessions/" + name + "?cleanup_agents=false");
        assertThat(body.get("cascaded_children_count").asInt()).isZero();
        var kid = server.get("/sessions/" + name + "-kid").get("session");
        assertThat(kid.hasNonNull("parent_session_id")).isFalse();
        assertThat(text(kid, "path")).isEqualTo(name + "-kid");
    }

    @Test
    void a_live_tree_is_deleted_only_by_force() {
        var name = alive();
        var answer = server.client().delete("/sessions/" + name);
        assertThat(answer.status()).isEqualTo(409);
        assertThat(text(answer.body(), "error")).contains("3 sessions are running");
        assertThat(deleted("/sessions/" + name + "?force=true").get("ok").asBoolean()).isTrue();
        assertThat(server.get("/audit?session_id=" + name).toString())
                .contains("removal.override", "no reason given");
    }

    /** Events that are written during the stop are deleted and counted, too. */
    @Test
    void deleted_events_are_counted_after_everything_stopped() throws Exception {
        var name = alive();
        var body = deleted("/sessions/" + name + "?force=true&reason=wrong");
        long counted = body.get("deleted").get("events_count").asLong();
        try (var connection = server.database();
                var rows =
                        connection
                                .createStatement()
                                .executeQuery(
                                        "select count(*) from event e join any_session s"
                                                + " on s.key = e.session where s.id like '"
                                                + name
                                                + "%'")) {
            assertThat(rows.next()).isTrue();
            // The removal itself adds two events, for its next steps.
            assertThat(rows.getLong(1) - counted).isEqualTo(2);
        }
    }

    @Test
    void a_plan_changes_nothing_and_its_digest_confirms_the_removal() {
        var name = alive();
        var plan = server.get("/sessions/" + name + "/removal-plan?running=stop");
        assertThat(plan.get("allowed").asBoolean()).isTrue();
        assertThat(plan.get("sessions").asInt()).isEqualTo(3);
        assertThat(plan.get("running")).hasSize(3);
        session(name + "-late", name);
        var path = "/sessions/" + name + "/removal?wait=10s";
        var confirmed = Json.object().put("running", "stop").put("confirm", text(plan, "digest"));
        var refused = server.refused(path, confirmed.toString());
        assertThat(refused.status()).isEqualTo(409);
        assertThat(text(refused.body(), "code")).isEqualTo("plan_changed");
        var again = server.get("/sessions/" + name + "/removal-plan?running=stop");
        var removal = server.post(path, confirmed.put("confirm", text(again, "digest")).toString());
        assertThat(text(removal, "state")).isEqualTo("hidden");
        assertThat(removal.get("percent").asInt()).isEqualTo(100);
    }

    @Test
    void an_undo_restores_a_removed_tree_and_removals_are_listed_newest_first() {
        var name = ended();
        var before = server.get("/sessions/" + name + "-leaf");
        var removal = server.post("/sessions/" + name + "/removal?wait=10s", "{}");
        var id = text(removal, "removal_id");
        var gone = server.client().get("/sessions/by-name/" + name);
        assertThat(gone.status()).isEqualTo(410);
        assertThat(text(gone.body(), "code")).isEqualTo("session_removed");
        assertThat(text(gone.body().get("detail"), "removal_id")).isEqualTo(id);
        assertThat(text(server.get("/removals").get("removals").get(0), "removal_id"))
                .isEqualTo(id);
        assertThat(server.get("/removals/" + id + "/sessions").get("sessions")).hasSize(3);
        assertThat(
                        text(
                                server.refused("/sessions", "{\"session_id\":\"" + name + "\"}")
                                        .body(),
                                "code"))
                .isEqualTo("session_id_hidden");
        var undone = server.post("/removals/" + id + "/undo?wait=10s", "{}");
        assertThat(text(undone, "state")).isEqualTo("undone");
        assertThat(server.get("/sessions/" + name + "-leaf")).isEqualTo(before);
    }

    @Test
    void a_removal_lists_its_steps_and_its_members_with_their_outcome() {
        session("shown", null);
        session("shown-kid", "shown");
        var answer = server.post("/sessions/shown/removal?wait=10s", "{\"running\":\"stop\"}");
        var path = "/removals/" + text(answer, "removal_id");
        assertThat(answer.get("steps"))
                .extracting(s -> text(s, "step"))
                .containsExactly(
                        "fence", "quiesce", "preserve", "back_up", "hide", "undo_window", "purge");
        var members = server.get(path + "/sessions").get("sessions");
        assertThat(members)
                .extracting(m -> text(m, "session_name"))
                .containsExactly("shown", "shown-kid");
        assertThat(members)
                .allMatch(m -> m.get("was_stopped").isBoolean())
                .noneMatch(m -> m.get("was_given_up").asBoolean())
                .extracting(m -> text(m, "outcome"))
                .containsOnly("hidden");
        assertThat(answer.get("backup").hasNonNull("file")).isTrue();
    }

    @Test
    void a_removal_has_the_requested_or_the_configured_deadline() {
        try (var own = Product.caller(Map.of("COPPICE_REMOVAL_DEADLINE", "7s"))) {
            own.post("/sessions", "{\"session_id\":\"a\",\"session_name\":\"a\"}");
            own.post("/sessions", "{\"session_id\":\"b\",\"session_name\":\"b\"}");
            var configured = own.post("/sessions/a/removal?wait=10s", "{\"running\":\"stop\"}");
            assertThat(text(configured.get("choices"), "deadline")).isEqualTo("7s");
            var asked = "{\"running\":\"stop\",\"deadline\":\"9s\"}";
            var requested = own.post("/sessions/b/removal?wait=10s", asked);
            assertThat(text(requested.get("choices"), "deadline")).isEqualTo("9s");
        }
        session("plain", null);
        var usual = server.post("/sessions/plain/removal?wait=10s", "{\"running\":\"stop\"}");
        assertThat(text(usual.get("choices"), "deadline")).isEqualTo("60s");
    }

    /** An override of critical operations overrides nothing else. */
    @Test
    void an_override_permits_neither_stops_nor_the_removal_of_children() {
        session("over", null);
        session("over-kid", "over");
        var why = "\"critical\":\"override\",\"reason\":\"enough\"";
        for (var choice : new String[] {"", ",\"running\":\"stop\",\"children\":\"refuse\""}) {
            var refused = server.refused("/sessions/over/removal", "{" + why + choice + "}");
            assertThat(refused.status()).isEqualTo(409);
        }
        assertThat(server.get("/sessions/over-kid").get("session").isObject()).isTrue();
    }

    @Test
    void a_purged_removal_cannot_be_undone() {
        var name = ended();
        var removal = server.post("/sessions/" + name + "/removal?wait=10s", "{}");
        var path = "/removals/" + text(removal, "removal_id");
        assertThat(text(server.post(path + "/purge?wait=10s", "{}"), "state")).isEqualTo("purged");
        var refused = server.refused(path + "/undo", "{}");
        assertThat(text(refused.body(), "code")).isEqualTo("cannot_be_undone");
        assertThat(server.client().get("/sessions/" + name).status()).isEqualTo(410);
        session(name, null);
        assertThat(server.client().get("/sessions/" + name).status()).isEqualTo(200);
    }

    @Test
    void critical_operations_refuse_a_removal_by_name_until_they_end() {
        session("busy", null);
        server.post(
                "/sessions/busy/events",
                "{\"event_type\":\"pre_tool\",\"tool_name\":\"Bash\",\"tool_use_id\":\"t1\"}");
        server.post(
                "/sessions/busy/events",
                "{\"event_type\":\"pre_tool\",\"tool_name\":\"Read\",\"tool_use_id\":\"t2\"}");
        server.post(
                "/sessions/busy/events",
                "{\"event_type\":\"permission_request\",\"tool_name\":\"Write\",\"id\":\"p1\"}");
        var plan = server.get("/sessions/busy/removal-plan?running=stop");
        assertThat(plan.get("critical_operations"))
                .extracting(c -> text(c, "what"))
                .containsExactly(
                        "Bash has not returned", "a question about Write waits for an answer");
        assertThat(plan.get("allowed").asBoolean()).isFalse();
        for (int i = 2; i < 9; i++) {
            var asked = Json.object().put("event_type", "permission_request").put("id", "p" + i);
            server.post("/sessions/busy/events", asked.toString());
        }
        var all =
                server.client().post("/sessions/busy/removal", Json.read("{\"running\":\"stop\"}"));
        assertThat(all.status()).isEqualTo(409);
        assertThat(all.body().get("detail").get("refusals").get(0).get("named")).hasSize(9);
        for (int i = 2; i < 9; i++) {
            var answer = Json.object().put("event_type", "permission_answer").put("id", "p" + i);
            server.post("/sessions/busy/events", answer.toString());
        }
        server.post(
                "/sessions/busy/events",
                "{\"event_type\":\"post_tool\",\"tool_name\":\"Bash\",\"tool_use_id\":\"t1\"}");
        server.post(
                "/sessions/busy/events", "{\"event_type\":\"permission_answer\",\"id\":\"p1\"}");
        assertThat(
                        server.get("/sessions/busy/removal-plan?running=stop")
                                .get("allowed")
                                .asBoolean())
                .isTrue();
    }

    /** Limits come from above: no session below an agent may escape them. */
    @Test
    void an_agent_may_neither_detach_sessions_nor_purge_them_at_once() {
        var name = ended();
        var agent = server.as(dev.coppice.access.Caller.agent(new SessionId(name)));
        var below = "/sessions/" + name + "-kid";
        for (var choice : List.of("\"children\":\"detach\"", "\"purge\":\"now\"")) {
            var answer = agent.post(below + "/removal", Json.read("{" + choice + "}"));
            assertThat(answer.status()).as(choice).isEqualTo(403);
        }
        assertThat(agent.delete(below + "?cleanup_agents=false").status()).isEqualTo(403);
        assertThat(server.client().get(below).status()).isEqualTo(200);
        assertThat(acts(name + "-kid")).hasSize(3).containsOnly("removal.ask refused");
    }

    @Test
    void invalid_removals_are_refused_and_audited() {
        var name = ended();
        var path = "/sessions/" + name;
        var client = server.client();
        assertThat(client.delete(path + "?cascade=false&cleanup_agents=false").error())
                .contains("cascade", "with cleanup_agents=false");
        assertThat(client.delete(path + "?force=perhaps").error()).contains("true or false");
        var word = client.post(path + "/removal", Json.read("{\"children\":\"sideways\"}"));
        assertThat(word.status()).isEqualTo(400);
        assertThat(acts(name)).hasSize(3).containsOnly("removal.ask refused");
        assertThat(client.get(path + "/removal-plan?running=stop&cascade=true").error())
                .contains("omitted if booleans");
    }

    @Test
    void the_audit_of_a_descendant_includes_the_removal_of_its_tree() {
        var name = ended();
        var other = ended();
        deleted("/sessions/" + other);
        deleted("/sessions/" + name);
        assertThat(acts(name + "-leaf"))
                .isEqualTo(acts(name))
                .contains("removal.hidden allowed")
                .endsWith("removal.ask allowed");
        server.post("/removals/" + latest() + "/undo?wait=10s", "{}");
        deleted("/sessions/" + name + "-leaf");
        // The audit of the root does not include the removal of the leaf alone.
        assertThat(acts(name + "-leaf")).hasSizeGreaterThan(acts(name).size());
    }

    private String latest() {
        var removal = server.get("/removals").get("removals").get(0);
        return String.valueOf(text(removal, "removal_id"));
    }

    private List<String> acts(String session) {
        var acts = new ArrayList<String>();
        for (var r : server.get("/audit?session_id=" + session).get("records")) {
            var act = String.valueOf(text(r, "act"));
            if (act.startsWith("removal.")) acts.add(act + " " + text(r, "decision"));
        }
        return acts;
    }

    @Test
    void an_agent_removes_below_itself_and_never_itself_or_above() {
        var name = ended();
        var kid = server.as(dev.coppice.access.Caller.agent(new SessionId(name + "-kid")));
        assertThat(kid.delete("/sessions/" + name).status()).isEqualTo(404);
        assertThat(kid.delete("/sessions/" + name + "-kid").status()).isEqualTo(403);
        assertThat(kid.delete("/sessions/" + name + "-leaf").status()).isEqualTo(200);
        var removal = server.get("/removals").get("removals").get(0);
        var path = "/removals/" + text(removal, "removal_id");
        assertThat(kid.get(path).status()).isEqualTo(200);
        assertThat(kid.post(path + "/undo?wait=10s", Json.object()).status()).isEqualTo(200);
        var other = server.as(dev.coppice.access.Caller.agent(new SessionId(ended())));
        assertThat(other.get(path).status()).isEqualTo(404);
        var viewer = server.as(dev.coppice.access.Caller.as(Role.VIEWER));
        assertThat(viewer.delete("/sessions/" + name).status()).isEqualTo(403);
    }

    @Test
    void the_events_of_a_session_include_its_removal_and_its_return() {
        var name = ended();
        long from = server.get("/sessions/" + name + "/events").size();
        var removal = server.post("/sessions/" + name + "/removal?wait=10s", "{}");
        server.post("/removals/" + text(removal, "removal_id") + "/undo?wait=10s", "{}");
        assertThat(from).isPositive();
        var types = new ArrayList<String>();
        server.get("/sessions/" + name + "/events?limit=1000")
                .get("events")
                .forEach(e -> types.add(text(e, "event_type")));
        assertThat(types).contains("removal_fencing", "removal_undoing", "session_restored");
    }

    @Test
    void allowed_and_refused_removals_are_in_the_audit_and_its_chain_is_valid() {
        var name = alive();
        server.client().delete("/sessions/" + name);
        var agent = server.as(dev.coppice.access.Caller.agent(new SessionId(name)));
        assertThat(agent.delete("/sessions/" + name).status()).isEqualTo(403);
        deleted("/sessions/" + name + "?force=true&reason=enough");
        var acts = new ArrayList<String>();
        for (var r : server.get("/audit?session_id=" + name).get("records")) {
            boolean refused = "refused".equals(text(r, "decision"));
            assertThat(text(r, "right")).isNotBlank();
            // A refusal changes nothing. A caller that may not see the session gets no hash.
            if (!String.valueOf(text(r, "act")).startsWith("removal.")) continue;
            if (refused) assertThat(text(r, "after")).isEqualTo(text(r, "before"));
            else assertThat(text(r, "after")).hasSize(16).isNotEqualTo(text(r, "before"));
            if (!refused) assertThat(text(r, "before")).hasSize(16);
            acts.add("%s %s".formatted(text(r, "act"), text(r, "decision")));
        }
        assertThat(acts.reversed())
                .containsExactly(
                        "removal.ask refused",
                        "removal.ask refused",
                        "removal.override allowed",
                        "removal.ask allowed",
                        "removal.quiescing allowed",
                        "removal.preserving allowed",
                        "removal.backing_up allowed",
                        "removal.hiding allowed",
                        "removal.hidden allowed");
        var verified = server.get("/audit/verify");
        assertThat(verified.get("ok").asBoolean()).isTrue();
        var head = text(verified, "head");
        assertThat(server.get("/audit/verify?head=" + head).get("ok").asBoolean()).isTrue();
        assertThat(server.get("/audit/verify?head=abc").get("ok").asBoolean()).isFalse();
        var exported = server.raw("GET", "/audit/export", "", server.bearer());
        var lines = exported.body().lines().map(Json::read).toList();
        assertThat(lines).anyMatch(line -> "removal.override".equals(text(line, "act")));
        assertThat(text(lines.getLast(), "hash")).isEqualTo(head);
        // The token of a hidden session is invalid.
        assertThat(agent.get("/audit").status()).isEqualTo(401);
    }
}
