package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Hooks that run before and after the runs of a blueprint, with one runner for all of them. */
class RunHooksTest {
    private final Caller server = new Caller();
    private String runner = "";

    @BeforeEach
    void register() {
        var registered =
                server.post(
                        "/runner/register",
                        "{\"hostname\":\"h\",\"project_dir\":\"/p\",\"executor_profile\":\"x\","
                                + "\"protocol\":\"coppice/1\",\"holds\":[]}");
        runner = String.valueOf(text(registered, "runner_id"));
        agent("guard", "");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void agent(String name, String more) {
        server.post(
                "/agents",
                "{\"name\":\"%s\",\"kind\":\"command\",\"command\":[\"true\"]%s}"
                        .formatted(name, more));
    }

    private void guarded(String more) {
        agent(
                "main",
                ",\"hooks\":{\"on_run_start\":{\"type\":\"agent\",\"agent_name\":\"guard\"%s}}"
                        .formatted(more));
    }

    private JsonNode begin(String session, String agent) {
        return server.post(
                "/runs",
                "{\"session_id\":\"%s\",\"agent_name\":\"%s\",\"prompt\":\"original\"}"
                        .formatted(session, agent));
    }

    private JsonNode claimed(String agent) {
        var run = server.get("/runner/runs?runner_id=" + runner).get("run");
        assertThat(text(run, "agent_name")).isEqualTo(agent);
        return run;
    }

    private void report(JsonNode run, String what, String more) {
        server.post(
                "/runner/runs/%s/%s".formatted(text(run, "run_id"), what),
                "{\"runner_id\":\"%s\",\"fence\":%s%s}".formatted(runner, run.get("fence"), more));
    }

    private void finished(JsonNode run, String result) {
        report(run, "started", "");
        report(run, "completed", ",\"result_text\":" + Json.write(result));
    }

    private String status(JsonNode begun) {
        return String.valueOf(text(server.get("/runs/" + text(begun, "run_id")), "status"));
    }

    private String awaited(JsonNode begun) {
        var run = server.get("/runs/" + text(begun, "run_id") + "?wait=10s");
        return text(run, "status") + ": " + text(run, "error");
    }

    private List<String> hookEvents(String session) {
        var events = new ArrayList<String>();
        for (var event : server.get("/sessions/" + session + "/events").get("events")) {
            var type = String.valueOf(text(event, "event_type"));
            if (type.startsWith("hook_")) events.add(type + " " + text(event, "tool_name"));
        }
        return events;
    }

    /** In the original, the only runner is held up by the poll that waits for the hook. */
    @Test
    void one_runner_runs_the_hook_and_then_the_run_with_the_parameters_of_the_hook() {
        guarded("");
        var begun = begin("m", "main");
        assertThat(text(begun, "status")).isEqualTo("pending");
        var hook = claimed("guard");
        assertThat(text(hook, "session_id")).startsWith("hook_");
        assertThat(text(hook, "parent_session_id")).isEqualTo("m");
        assertThat(
                        server.stored(
                                "select spawn_reason || ' ' || delegation_type"
                                        + " from session_relationships"
                                        + " where parent_session_id = 'm'"))
                .isEqualTo("subagent_delegation sequential");
        assertThat(text(hook.get("parameters"), "prompt")).isEqualTo("original");
        assertThat(status(begun)).isEqualTo("pending");
        finished(hook, "{\"action\":\"continue\",\"parameters\":{\"prompt\":\"changed\"}}");
        var main = claimed("main");
        assertThat(text(main.get("parameters"), "prompt")).isEqualTo("changed");
        finished(main, "done");
        assertThat(awaited(begun)).isEqualTo("completed: null");
        assertThat(hookEvents("m"))
                .containsExactly(
                        "hook_start hook:on_run_start:guard",
                        "hook_complete hook:on_run_start:guard");
    }

    @Test
    void a_hook_that_blocks_fails_the_run_and_wakes_the_parent() {
        guarded("");
        var parent = begin("p", "guard");
        var child =
                server.post(
                        "/runs",
                        "{\"session_id\":\"m\",\"agent_name\":\"main\",\"prompt\":\"x\","
                                + "\"parent_session_id\":\"p\","
                                + "\"execution_mode\":\"async_callback\"}");
        finished(claimed("guard"), "started the child");
        finished(claimed("guard"), "{\"action\":\"block\",\"block_reason\":\"not today\"}");
        assertThat(awaited(child)).isEqualTo("failed: Blocked by on_run_start hook: not today");
        assertThat(awaited(parent)).isEqualTo("completed: null");
        var woken = claimed("guard");
        assertThat(text(woken, "session_id")).isEqualTo("p");
        assertThat(text(woken.get("parameters"), "prompt"))
                .contains("Blocked by on_run_start hook: not today");
        assertThat(hookEvents("m")).last().isEqualTo("hook_blocked hook:on_run_start:guard");
    }

    @Test
    void an_error_of_a_hook_lets_the_run_start_unless_it_is_to_block() {
        guarded("");
        var first = begin("m", "main");
        var hook = claimed("guard");
        report(hook, "started", "");
        report(hook, "failed", ",\"error\":\"broke\"");
        finished(claimed("main"), "done");
        assertThat(awaited(first)).isEqualTo("completed: null");
        assertThat(hookEvents("m")).last().isEqualTo("hook_failed hook:on_run_start:guard");
        server.client().delete("/agents/main");
        guarded(",\"on_error\":\"block\"");
        var second = begin("n", "main");
        hook = claimed("guard");
        report(hook, "started", "");
        report(hook, "failed", ",\"error\":\"broke\"");
        assertThat(awaited(second))
                .isEqualTo("failed: Blocked by on_run_start hook: Hook failed: broke");
    }

    @Test
    void a_hook_that_takes_too_long_is_ended_and_counts_as_an_error() {
        guarded(",\"on_error\":\"block\",\"timeout_seconds\":1");
        var begun = begin("m", "main");
        var hook = claimed("guard");
        report(hook, "started", "");
        assertThat(awaited(begun))
                .startsWith("failed: Blocked by on_run_start hook: Hook failed: ");
        assertThat(hookEvents("m")).last().isEqualTo("hook_timeout hook:on_run_start:guard");
    }

    @Test
    void parameters_of_a_hook_that_do_not_fit_are_an_error_of_the_hook() {
        guarded(",\"on_error\":\"block\"");
        var begun = begin("m", "main");
        finished(claimed("guard"), "{\"parameters\":{\"prompt\":\"\",\"more\":1}}");
        assertThat(awaited(begun)).contains("its parameters do not fit: ");
    }

    @Test
    void a_hook_that_cannot_start_is_an_error_of_the_hook() {
        guarded("");
        server.client()
                .call(
                        "PATCH",
                        "/agents/guard/status",
                        Json.read("{\"status\":\"inactive\"}"),
                        java.util.Map.of());
        var begun = begin("m", "main");
        finished(claimed("main"), "done");
        assertThat(awaited(begun)).isEqualTo("completed: null");
        assertThat(hookEvents("m")).containsExactly("hook_failed hook:on_run_start:guard");
    }

    @Test
    void a_stop_of_the_run_ends_its_hook() {
        guarded("");
        var begun = begin("m", "main");
        var hook = claimed("guard");
        report(hook, "started", "");
        server.post("/sessions/m/stop", "{}");
        assertThat(status(begun)).isEqualTo("stopped");
        var polled = server.get("/runner/runs?runner_id=" + runner);
        assertThat(text(polled.get("stops").get(0), "run_id")).isEqualTo(text(hook, "run_id"));
    }

    @Test
    void a_resumed_run_has_its_hook_too() {
        guarded("");
        begin("m", "main");
        finished(claimed("guard"), "go");
        finished(claimed("main"), "done");
        server.post(
                "/runs", "{\"type\":\"resume_session\",\"session_id\":\"m\",\"prompt\":\"again\"}");
        var hook = claimed("guard");
        assertThat(text(hook.get("parameters"), "prompt")).isEqualTo("again");
        finished(hook, "{\"parameters\":{\"prompt\":\"better\"}}");
        assertThat(text(claimed("main").get("parameters"), "prompt")).isEqualTo("better");
    }

    @Test
    void the_hook_after_a_run_gets_its_result_and_changes_nothing() {
        agent("main", ",\"hooks\":{\"on_run_finish\":{\"agent_name\":\"guard\"}}");
        var begun = begin("m", "main");
        finished(claimed("main"), "{\"answer\":42}");
        var hook = claimed("guard");
        assertThat(hook.get("parameters").toString()).isEqualTo("{\"answer\":42}");
        report(hook, "started", "");
        report(hook, "failed", ",\"error\":\"broke\"");
        assertThat(awaited(begun)).isEqualTo("completed: null");
        assertThat(text(server.get("/sessions/m/status"), "status")).isEqualTo("finished");
        assertThat(hookEvents("m")).containsExactly("hook_start hook:on_run_finish:guard");
    }

    /** A hook of itself would never end. */
    @Test
    void a_hook_has_no_hooks() {
        agent(
                "main",
                ",\"hooks\":{\"on_run_start\":{\"agent_name\":\"main\"},\"on_run_finish\":{\"agent_name\":\"guard\"}}");
        begin("m", "main");
        finished(claimed("main"), "{}");
        var main = claimed("main");
        assertThat(text(main, "session_id")).isEqualTo("m");
        finished(main, "done");
        assertThat(text(claimed("guard"), "parent_session_id")).isEqualTo("m");
    }

    /** A hook that hands back what it got, with another prompt, fits a run that goes on. */
    @Test
    void a_hook_changes_the_prompt_of_a_resumed_run_and_keeps_its_other_parameters() {
        agent(
                "main",
                ",\"hooks\":{\"on_run_start\":{\"agent_name\":\"guard\",\"on_error\":\"block\"}},"
                        + "\"env\":{\"TOPIC\":\"${params.topic}\"},"
                        + "\"parameters_schema\":{\"type\":\"object\",\"required\":[\"topic\"]}");
        server.post(
                "/runs",
                "{\"session_id\":\"m\",\"agent_name\":\"main\",\"parameters\":{\"topic\":\"t\"}}");
        finished(claimed("guard"), "{\"parameters\":{\"topic\":\"u\"}}");
        finished(claimed("main"), "done");
        server.post(
                "/runs", "{\"type\":\"resume_session\",\"session_id\":\"m\",\"prompt\":\"again\"}");
        var hook = claimed("guard");
        assertThat(hook.get("parameters").toString())
                .isEqualTo("{\"topic\":\"u\",\"prompt\":\"again\"}");
        finished(hook, "{\"parameters\":{\"prompt\":\"better\"}}");
        var main = claimed("main");
        assertThat(main.get("parameters").toString())
                .isEqualTo("{\"topic\":\"u\",\"prompt\":\"better\"}");
        assertThat(main.at("/resolved_agent_blueprint/env/TOPIC").asString()).isEqualTo("u");
    }

    /** A tree whose limit has room for its runs has room for their hooks. */
    @Test
    void hooks_take_up_no_place_among_the_runs_of_a_tree() {
        guarded(",\"on_error\":\"block\"");
        server.post(
                "/runs",
                "{\"session_id\":\"p\",\"agent_name\":\"guard\",\"prompt\":\"x\",\"limits\":{\"runs\":3}}");
        report(claimed("guard"), "started", "");
        for (var child : List.of("c1", "c2")) {
            server.post(
                    "/runs",
                    "{\"session_id\":\"%s\",\"agent_name\":\"main\",\"prompt\":\"x\",\"parent_session_id\":\"p\",\"execution_mode\":\"async_poll\"}"
                            .formatted(child));
        }
        var begun = new TreeSet<String>();
        while (begun.size() < 2) {
            var run = server.get("/runner/runs?runner_id=" + runner).get("run");
            if ("guard".equals(text(run, "agent_name"))) {
                finished(run, "{}");
            } else {
                report(run, "started", "");
                begun.add(String.valueOf(text(run, "session_id")));
            }
        }
        assertThat(begun).containsExactly("c1", "c2");
    }

    /** A text that a database cannot store must not stop the hooks of other runs. */
    @Test
    void a_hostile_answer_of_a_hook_is_stored_in_part() {
        guarded("");
        var begun = begin("m", "main");
        finished(claimed("guard"), "{\"action\":\"block\",\"block_reason\":\"a\\u0000b\"}");
        assertThat(awaited(begun)).isEqualTo("failed: Blocked by on_run_start hook: a b");
    }

    @Test
    void a_finish_hook_that_goes_on_has_no_hooks() {
        agent("noter", ",\"hooks\":{\"on_run_finish\":{\"agent_name\":\"guard\"}}");
        agent("main", ",\"hooks\":{\"on_run_finish\":{\"agent_name\":\"noter\"}}");
        begin("m", "main");
        finished(claimed("main"), "done");
        var hook = claimed("noter");
        finished(hook, "noted");
        server.post(
                "/runs",
                "{\"type\":\"resume_session\",\"session_id\":\"%s\",\"prompt\":\"again\"}"
                        .formatted(text(hook, "session_id")));
        finished(claimed("noter"), "noted again");
        begin("next", "guard");
        assertThat(text(claimed("guard"), "session_id")).isEqualTo("next");
    }
}
