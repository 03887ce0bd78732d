package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.SocketTimeoutException;

/** The original's runner protocol, message by message, as the original's runners send it. */
class OriginalRunnerTest {
    private final Caller server = Product.caller();

    @AfterEach
    void close() {
        server.close();
    }

    private String register(String profile) {
        var answer =
                server.post(
                        "/runner/register",
                        "{\"hostname\":\"h\",\"project_dir\":\"/p\",\"executor_profile\":\"%s\",\"executor\":{\"type\":\"autonomous\",\"command\":\"c\"},\"tags\":[\"gpu\"]}"
                                .formatted(profile));
        assertThat(text(answer, "runner_id")).matches("lnch_[0-9a-f]{12}");
        assertThat(text(answer, "poll_endpoint")).isEqualTo("/runner/runs");
        return String.valueOf(text(answer, "runner_id"));
    }

    private String report(String run, String what, String runner, String more) {
        var answer =
                server.client()
                        .post(
                                "/runner/runs/" + run + "/" + what,
                                Json.read("{\"runner_id\":\"%s\"%s}".formatted(runner, more)));
        return answer.isGood() ? "ok" : String.valueOf(text(answer.body(), "code"));
    }

    @Test
    void a_run_goes_from_the_queue_to_its_end() {
        var runner = register("one");
        var started =
                server.post(
                        "/runs",
                        "{\"type\":\"start_session\",\"parameters\":{\"prompt\":\"hi\"},\"session_name\":\"s\"}");
        var run = server.get("/runner/runs?runner_id=" + runner).get("run");
        assertThat(text(run, "run_id")).isEqualTo(text(started, "run_id"));
        assertThat(text(run, "status")).isEqualTo("claimed");
        assertThat(text(run.get("parameters"), "prompt")).isEqualTo("hi");
        var id = String.valueOf(text(run, "run_id"));
        var session = text(run, "session_id");
        server.post(
                "/sessions/" + session + "/bind",
                "{\"executor_session_id\":\"e1\",\"hostname\":\"h\",\"executor_profile\":\"one\"}");
        assertThat(report(id, "started", runner, "")).isEqualTo("ok");
        server.post(
                "/sessions/" + session + "/events",
                "{\"event_type\":\"result\",\"result_text\":\"done\",\"timestamp\":\"2026-01-01T00:00:00Z\"}");
        assertThat(report(id, "completed", runner, ",\"status\":\"success\"")).isEqualTo("ok");
        assertThat(report(id, "completed", runner, ",\"status\":\"success\"")).isEqualTo("ok");
        assertThat(text(server.get("/sessions/" + session + "/result"), "result_text"))
                .isEqualTo("done");
        assertThat(text(server.get("/sessions/" + session + "/status"), "status"))
                .isEqualTo("finished");
        assertThat(text(server.get("/runs/" + id), "status")).isEqualTo("completed");
        assertThat(text(server.get("/sessions/" + session).get("session"), "executor_session_id"))
                .isEqualTo("e1");
    }

    /** Original, section 6: any registered runner can finish any run. */
    @Test
    void another_or_an_unknown_runner_cannot_end_a_run() {
        var runner = register("one");
        var other = register("two");
        var id = String.valueOf(text(server.post("/runs", "{\"prompt\":\"x\"}"), "run_id"));
        server.get("/runner/runs?runner_id=" + runner);
        assertThat(report(id, "completed", other, "")).isEqualTo("lease_lost");
        assertThat(report(id, "failed", "lnch_nobody", "")).isEqualTo("runner_unknown");
        assertThat(report("run_none", "failed", runner, "")).isEqualTo("run_unknown");
        assertThat(report(id, "failed", runner, ",\"error\":\"broke\"")).isEqualTo("ok");
        assertThat(report(id, "completed", runner, "")).isEqualTo("run_has_ended");
        assertThat(text(server.get("/runs/" + id), "error")).isEqualTo("broke");
    }

    @Test
    void a_persistent_program_idles_between_turns_and_resumes() {
        var runner = register("one");
        var first = server.post("/runs", "{\"prompt\":\"x\",\"session_id\":\"s1\"}");
        server.get("/runner/runs?runner_id=" + runner);
        report(String.valueOf(text(first, "run_id")), "started", runner, "");
        report(
                String.valueOf(text(first, "run_id")),
                "completed",
                runner,
                ",\"session_status\":\"idle\",\"result_text\":\"one\"");
        assertThat(text(server.get("/sessions/s1/status"), "status")).isEqualTo("idle");
        assertThat(text(server.get("/sessions/s1/result"), "result_text")).isEqualTo("one");
        var second =
                server.post(
                        "/runs",
                        "{\"type\":\"resume_session\",\"session_id\":\"s1\",\"prompt\":\"y\"}");
        var claimed = server.get("/runner/runs?runner_id=" + runner).get("run");
        assertThat(text(claimed, "run_id")).isEqualTo(text(second, "run_id"));
        assertThat(text(claimed, "type")).isEqualTo("resume_session");
        report(String.valueOf(text(second, "run_id")), "started", runner, "");
        report(
                String.valueOf(text(second, "run_id")),
                "completed",
                runner,
                ",\"session_status\":\"idle\"");
        server.post(
                "/runner/sessions/s1/status",
                "{\"runner_id\":\"%s\",\"status\":\"finished\"}".formatted(runner));
        assertThat(text(server.get("/sessions/s1/status"), "status")).isEqualTo("finished");
    }

    @Test
    void a_stop_is_sent_with_the_next_poll_before_any_run() {
        var runner = register("one");
        var first = server.post("/runs", "{\"prompt\":\"x\",\"session_id\":\"s1\"}");
        server.get("/runner/runs?runner_id=" + runner);
        report(String.valueOf(text(first, "run_id")), "started", runner, "");
        server.post("/runs", "{\"prompt\":\"x\",\"session_id\":\"s2\"}");
        assertThat(text(server.post("/sessions/s1/stop", "{}"), "status")).isEqualTo("stopping");
        var stops = server.get("/runner/runs?runner_id=" + runner).get("stop_sessions");
        assertThat(stops.toString()).isEqualTo("[\"s1\"]");
        assertThat(
                        report(
                                String.valueOf(text(first, "run_id")),
                                "stopped",
                                runner,
                                ",\"signal\":\"SIGTERM\""))
                .isEqualTo("ok");
        assertThat(text(server.get("/sessions/s1/status"), "status")).isEqualTo("stopped");
    }

    @Test
    void a_run_goes_only_to_a_runner_that_meets_all_demands() {
        var runner = register("one");
        server.post(
                "/runs",
                "{\"prompt\":\"x\",\"session_id\":\"nope\",\"additional_demands\":{\"tags\":[\"gpu\",\"big\"]}}");
        server.post(
                "/runs",
                "{\"prompt\":\"x\",\"session_id\":\"yes\",\"additional_demands\":{\"tags\":[\"gpu\"],\"hostname\":\"h\"}}");
        assertThat(text(server.get("/runner/runs?runner_id=" + runner).get("run"), "session_id"))
                .isEqualTo("yes");
        assertThat(
                        server.refused(
                                        "/runs",
                                        "{\"prompt\":\"x\",\"additional_demands\":{\"tags\":[7,{}]}}")
                                .status())
                .isEqualTo(400);
    }

    @Test
    void a_duplicate_of_an_online_runner_is_refused_as_in_the_original() {
        register("one");
        var duplicate =
                server.refused(
                        "/runner/register",
                        "{\"hostname\":\"h\",\"project_dir\":\"/p\",\"executor_profile\":\"one\",\"executor\":{\"type\":\"autonomous\",\"command\":\"c\"}}");
        assertThat(duplicate.status()).isEqualTo(409);
        assertThat(text(duplicate.body().get("detail"), "error")).isEqualTo("duplicate_runner");
        assertThat(server.get("/runners").get("runners").size()).isEqualTo(1);
    }

    @Test
    void deleting_a_runner_ends_its_runs_as_lost() {
        var runner = register("one");
        var run = server.post("/runs", "{\"prompt\":\"x\",\"session_id\":\"s1\"}");
        server.get("/runner/runs?runner_id=" + runner);
        report(String.valueOf(text(run, "run_id")), "started", runner, "");
        assertThat(server.client().delete("/runners/" + runner).status()).isEqualTo(200);
        assertThat(text(server.get("/sessions/s1").get("session"), "state")).isEqualTo("lost");
        assertThat(text(server.get("/sessions/s1/status"), "status")).isEqualTo("failed");
    }

    /** Original, section 6: the poll of a vanished runner claims a run, which is then stuck. */
    @Test
    void a_poll_from_before_the_runner_registered_again_claims_nothing() throws Exception {
        var ours =
                "{\"hostname\":\"h\",\"project_dir\":\"/p\",\"executor_profile\":\"x\",\"protocol\":\"coppice/1\"}";
        var runner = text(server.post("/runner/register", ours), "runner_id");
        var poll = "/runner/runs?runner_id=" + runner;
        try (var gone = server.hungUp("GET", poll, "", server.bearer())) {
            gone.setSoTimeout(500);
            assertThatThrownBy(() -> gone.getInputStream().read())
                    .as("it waits for work")
                    .isInstanceOf(SocketTimeoutException.class);
        }
        server.post("/runner/register", ours);
        var id = text(server.post("/runs", "{\"prompt\":\"x\"}"), "run_id");
        assertThat(text(server.get(poll).get("run"), "run_id")).isEqualTo(id);
    }

    /** Here the answer to the first poll was sent and never arrived. */
    @Test
    void a_run_that_was_lost_on_the_way_is_sent_again_with_the_next_poll() {
        var runner = register("one");
        var id = text(server.post("/runs", "{\"prompt\":\"x\"}"), "run_id");
        var poll = "/runner/runs?runner_id=" + runner;
        assertThat(text(server.get(poll).get("run"), "run_id")).isEqualTo(id);
        assertThat(text(server.get(poll).get("run"), "run_id")).isEqualTo(id);
        assertThat(report(String.valueOf(id), "started", runner, "")).isEqualTo("ok");
    }

    @Test
    void a_program_that_ends_between_two_turns_ends_in_the_reported_state() {
        var runner = register("one");
        assertThat(idle(runner)).isEqualTo("idle");
        server.post(
                "/runner/sessions/s1/status",
                "{\"runner_id\":\"%s\",\"status\":\"failed\"}".formatted(runner));
        assertThat(text(server.get("/sessions/s1").get("session"), "state")).isEqualTo("failed");
    }

    private String idle(String runner) {
        var run = server.post("/runs", "{\"prompt\":\"x\",\"session_id\":\"s1\"}");
        server.get("/runner/runs?runner_id=" + runner);
        report(String.valueOf(text(run, "run_id")), "started", runner, "");
        report(
                String.valueOf(text(run, "run_id")),
                "completed",
                runner,
                ",\"session_status\":\"idle\"");
        return String.valueOf(text(server.get("/sessions/s1/status"), "status"));
    }

    @Test
    void a_stop_reaches_a_program_between_two_turns() {
        var runner = register("one");
        assertThat(idle(runner)).isEqualTo("idle");
        assertThat(text(server.post("/sessions/s1/stop", "{}"), "status")).isEqualTo("stopping");
        var stops = server.get("/runner/runs?runner_id=" + runner).get("stop_sessions");
        assertThat(stops.toString()).isEqualTo("[\"s1\"]");
        server.post(
                "/runner/sessions/s1/status",
                "{\"runner_id\":\"%s\",\"status\":\"stopped\"}".formatted(runner));
        assertThat(text(server.get("/sessions/s1/status"), "status")).isEqualTo("stopped");
    }

    @Test
    void a_program_between_two_turns_ends_with_its_runner() {
        var runner = register("one");
        assertThat(idle(runner)).isEqualTo("idle");
        assertThat(server.client().delete("/runners/" + runner + "?self=true").status())
                .isEqualTo(200);
        assertThat(text(server.get("/sessions/s1/status"), "status")).isEqualTo("finished");
    }

    private static final String ECHO =
            """
            {"hostname": "h", "project_dir": "/p", "executor_profile": "%s",
             "executor": {"type": "procedural", "command": "c", "lifecycle": "one_shot"},
             "agents": [{"name": "echo", "description": "Echo message back", "more": 1,
               "command": "scripts/echo/echo",
               "parameters_schema": {"type": "object", "required": ["message"],
                 "properties": {"message": {"type": "string"}}, "additionalProperties": false},
               "output_schema": null}]}\
            """;

    private String procedural(String profile, String body) {
        var registered = server.post("/runner/register", body.formatted(profile));
        return String.valueOf(text(registered, "runner_id"));
    }

    @Test
    void agents_that_a_runner_brings_are_run_by_it_alone_and_go_with_it() {
        var runner = procedural("echo", ECHO);
        var other = procedural("other", ECHO.replace("\"agents\"", "\"others\""));
        var agent = server.get("/agents/echo");
        assertThat(text(agent, "type")).isEqualTo("procedural");
        assertThat(text(agent, "command")).isEqualTo("scripts/echo/echo");
        assertThat(text(agent, "runner_id")).isEqualTo(runner);
        assertThat(agent.has("more")).isFalse();
        var refused = server.refused("/runs", "{\"agent_name\":\"echo\",\"parameters\":{}}");
        assertThat(text(refused.body().get("detail"), "error"))
                .isEqualTo("parameter_validation_failed");
        server.post("/runs", "{\"agent_name\":\"echo\",\"parameters\":{\"message\":\"m\"}}");
        var claimed = server.get("/runner/runs?runner_id=" + runner).get("run");
        assertThat(text(claimed, "agent_name")).isEqualTo("echo");
        var taken =
                server.refused("/runner/register", ECHO.formatted("third")).body().get("detail");
        assertThat(text(taken, "error")).isEqualTo("agent_name_collision");
        assertThat(text(taken, "existing_runner_id")).isEqualTo(runner);
        assertThat(server.get("/runners").get("runners").size()).isEqualTo(2);
        assertThat(server.client().delete("/agents/echo").status()).isEqualTo(409);
        server.client().delete("/runners/" + runner);
        assertThat(server.client().get("/agents/echo").status()).isEqualTo(404);
        assertThat(other).isNotEqualTo(runner);
    }

    private static String script(String name, String content) {
        return "{\"name\":\"%s\",\"description\":\"d\",\"script_file\":\"x\",\"script_content\":\"%s\"}"
                .formatted(name, content);
    }

    /** The runner downloads a script before it gets a run that needs it. */
    @Test
    void a_procedural_runner_is_told_of_scripts_before_runs_and_after_changes() {
        server.post("/scripts", script("one", "1"));
        server.post("/scripts", script("two", "2"));
        var body = ECHO.replace("\"agents\"", "\"others\"");
        var poll = "/runner/runs?runner_id=" + procedural("p", body);
        server.post("/agents", "{\"name\":\"a\",\"type\":\"procedural\",\"script\":\"one\"}");
        server.post("/runs", "{\"agent_name\":\"a\",\"prompt\":\"x\"}");
        assertThat(server.get(poll).toString())
                .isEqualTo("{\"sync_scripts\":[\"one\",\"two\"],\"remove_scripts\":[]}");
        var run = server.get(poll).get("run");
        assertThat(text(run.get("resolved_agent_blueprint"), "script")).isEqualTo("one");
        assertThat(run.get("resolved_agent_blueprint").has("resolved_scripts")).isFalse();
        server.client().delete("/scripts/two");
        server.client()
                .call(
                        "PATCH",
                        "/scripts/one",
                        Json.read("{\"script_content\":\"3\"}"),
                        java.util.Map.of());
        assertThat(server.get(poll).toString())
                .isEqualTo("{\"sync_scripts\":[\"one\"],\"remove_scripts\":[\"two\"]}");
    }
}
