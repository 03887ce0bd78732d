package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * The acceptance scenarios of the original, under its numbers, with real processes. Scripts replace
 * the model and the manual steps.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScenariosTest {
    private final Machine machine = new Machine(Map.of("COPPICE_NO_MATCH", "3s"));

    @BeforeAll
    void start() {
        machine.up();
    }

    @AfterAll
    void stop() {
        machine.close();
    }

    private JsonNode start(String name, String mode, String script) {
        var request =
                Json.object()
                        .put("session_id", name)
                        .put("session_name", name)
                        .put("execution_mode", mode)
                        .put("prompt", script);
        return machine.post("/runs", request.toString());
    }

    private JsonNode ended(JsonNode started) {
        return machine.get("/runs/" + Json.text(started, "run_id") + "?wait=60s");
    }

    private List<JsonNode> runs(String session) {
        var runs = machine.get("/runs?session_id=" + session).get("runs");
        return StreamSupport.stream(runs.spliterator(), false).toList().reversed();
    }

    private List<JsonNode> events(String session) {
        var events = machine.get("/sessions/" + session + "/events").get("events");
        return StreamSupport.stream(events.spliterator(), false).toList();
    }

    private static List<String> texts(List<JsonNode> nodes, String field) {
        return nodes.stream().map(n -> String.valueOf(Json.text(n, field))).toList();
    }

    /** Waits until the session has that many runs, all ended, and returns them. */
    private List<JsonNode> awaitRuns(String session, int count) {
        Eventually.await(
                () ->
                        runs(session).size() >= count
                                && runs(session).stream()
                                        .allMatch(r -> r.hasNonNull("completed_at")),
                () -> texts(runs(session), "state").toString());
        return runs(session);
    }

    @Test
    void scenario_01_a_start_records_its_events_in_order() {
        var run = ended(start("s01", "sync", "say hello"));
        assertThat(Json.text(run, "session_id")).isEqualTo("s01");
        var events = events("s01");
        assertThat(texts(events, "event_type"))
                .containsExactly("run_start", "message", "result", "run_completed");
        assertThat(texts(events, "session_id")).containsOnly("s01");
        assertThat(events.getLast().get("exit_code").asInt()).isZero();
        var times = texts(events, "timestamp").stream().map(Instant::parse).toList();
        assertThat(times).isSorted();
    }

    @Test
    void scenario_02_a_resume_continues_the_same_session() {
        ended(start("s02", "sync", "say one"));
        var again =
                ended(
                        machine.post(
                                "/runs",
                                "{\"type\":\"resume_session\",\"session_id\":\"s02\",\"prompt\":\"say"
                                    + " two\"}"));
        assertThat(Json.text(again, "session_id")).isEqualTo("s02");
        var session = machine.get("/sessions/s02").get("session");
        assertThat(session.hasNonNull("last_resumed_at")).isTrue();
        assertThat(texts(events("s02"), "event_type"))
                .containsExactly(
                        "run_start",
                        "message",
                        "result",
                        "run_completed",
                        "run_start",
                        "message",
                        "result",
                        "run_completed");
    }

    @Test
    void scenario_04_a_parent_waits_for_a_child() {
        var run = ended(start("s04", "sync", "spawn s04-kid mode=sync\n  result the answer"));
        assertThat(Json.text(run, "result_text")).contains("s04-kid finished: the answer");
        var kid = machine.get("/sessions/by-name/s04-kid").get("session");
        assertThat(Json.text(kid, "parent_session_id")).isEqualTo("s04");
        assertThat(machine.state("s04")).isEqualTo("finished");
        assertThat(machine.state("s04-kid")).isEqualTo("finished");
    }

    @Test
    void scenario_05_a_parent_is_woken_by_its_child() {
        start(
                "s05",
                "sync",
                """
                spawn s05-kid mode=async_callback
                  sleep 500ms
                  result the answer
                say waiting
                """);
        var runs = awaitRuns("s05", 2);
        assertThat(Json.text(runs.get(1), "type")).isEqualTo("resume_session");
        assertThat(Json.text(runs.get(1), "result_text"))
                .contains("session=\"%s\"".formatted(id("s05-kid")), "the answer");
        assertThat(Json.text(runs("%s".formatted(id("s05-kid"))).getFirst(), "execution_mode"))
                .isEqualTo("async_callback");
        assertThat(callbacks("s05", "delivered")).hasSize(1);
    }

    private String id(String name) {
        var session = machine.get("/sessions/by-name/" + name).get("session");
        return String.valueOf(Json.text(session, "session_id"));
    }

    private List<JsonNode> callbacks(String session, String state) {
        var found = machine.get("/callbacks?session_id=%s&state=%s".formatted(session, state));
        return StreamSupport.stream(found.get("callbacks").spliterator(), false).toList();
    }

    @Test
    void scenario_06_five_children_in_two_waves_are_delivered_once_each() {
        start(
                "s06",
                "sync",
                """
                spawn s06-1 mode=async_callback
                  sleep 300ms
                spawn s06-2 mode=async_callback
                  sleep 300ms
                spawn s06-3 mode=async_callback
                  sleep 300ms
                spawn s06-4 mode=async_callback
                  sleep 2s
                spawn s06-5 mode=async_callback
                  sleep 2s
                """);
        Eventually.await(
                () -> callbacks("s06", "delivered").size() == 5,
                () -> machine.get("/callbacks?session_id=s06").toString());
        var told = new ArrayList<String>();
        for (var run : runs("s06").subList(1, runs("s06").size())) {
            assertThat(Json.text(run, "state")).isEqualTo("finished");
            told.add(String.valueOf(Json.text(run.get("parameters"), "prompt")));
        }
        for (int i = 1; i <= 5; i++) {
            var kid = id("s06-" + i);
            assertThat(told).filteredOn(t -> t.contains(kid)).as("s06-" + i).hasSize(1);
        }
    }

    @Test
    void scenario_07_a_child_that_fails_wakes_its_parent_with_the_error() {
        start("s07", "sync", "spawn s07-kid mode=async_callback\n  fail no such thing\n");
        var runs = awaitRuns("s07", 2);
        assertThat(Json.text(runs.get(1).get("parameters"), "prompt"))
                .contains(
                        "status=\"failed\"",
                        "## Error",
                        "no such thing",
                        "Please handle this failure and continue with the orchestration.");
        assertThat(machine.state("s07-kid")).isEqualTo("failed");
    }

    @Test
    void scenario_10_a_run_without_matching_runner_times_out_and_wakes_its_parent() {
        start("s10", "sync", "say here");
        awaitRuns("s10", 1);
        machine.post(
                "/runs",
                """
                {"session_name":"s10-kid","parent_session_id":"s10","prompt":"x",
                 "execution_mode":"async_callback","additional_demands":{"tags":["nowhere"]}}
                """);
        var runs = awaitRuns("s10", 2);
        assertThat(Json.text(runs.get(1).get("parameters"), "prompt"))
                .contains("No matching runner available within timeout");
        assertThat(machine.state("s10-kid")).isEqualTo("timed_out");
        // An alert follows within about a second, before or after this look.
        var told = texts(events(id("s10-kid")), "event_type");
        assertThat(told.stream().filter(type -> !type.equals("alert")))
                .containsExactly("run_failed");
    }

    @Test
    void scenario_11_a_result_is_an_event_before_the_end() {
        ended(start("s11", "sync", "say a\nresult the answer"));
        var events = events("s11");
        assertThat(texts(events, "event_type"))
                .containsSubsequence("message", "result", "run_completed");
        var result =
                events.stream()
                        .filter(e -> "result".equals(Json.text(e, "event_type")))
                        .findFirst()
                        .orElseThrow();
        assertThat(Json.text(result, "result_text")).isEqualTo("the answer\n");
        assertThat(result.get("result_data").isNull()).isTrue();
    }

    @Test
    void scenario_12_a_result_is_returned_or_refused_with_a_reason() {
        ended(start("s12", "sync", "result {\"n\":1}"));
        var result = machine.get("/sessions/s12/result");
        assertThat(result.get("result_data").toString()).isEqualTo("{\"n\":1}");
        assertThat(machine.client().get("/sessions/nobody/result").status()).isEqualTo(404);
        start("s12-busy", "async_poll", "hang");
        assertThat(machine.client().get("/sessions/s12-busy/result").status()).isEqualTo(400);
        machine.post("/sessions/s12-busy/stop", "{}");
    }

    @Test
    void scenario_13_structured_results_are_delivered_as_json() {
        start(
                "s13",
                "sync",
                "spawn s13-kid mode=async_callback\n  result {\"score\":[1,2],\"ok\":true}\n");
        var runs = awaitRuns("s13", 2);
        assertThat(Json.text(runs.get(1).get("parameters"), "prompt"))
                .contains(
                        """
                        {
                          "score": [
                            1,
                            2
                          ],
                          "ok": true
                        }
                        </agent-callback>\
                        """);
    }

    @Test
    void a_join_wakes_its_session_once_and_messages_are_delivered() {
        start(
                "joiner",
                "sync",
                """
                spawn joined-1 mode=async_callback
                  sleep 200ms
                spawn joined-2 mode=async_poll
                  sleep 900ms
                join
                say waiting
                """);
        var runs = awaitRuns("joiner", 2);
        assertThat(runs).hasSize(2);
        assertThat(Json.text(runs.get(1).get("parameters"), "prompt"))
                .contains("type=\"join\"", id("joined-1"), id("joined-2"));
        machine.run("send", "joiner", "say heard you");
        assertThat(Json.text(awaitRuns("joiner", 3).get(2), "result_text"))
                .isEqualTo("heard you\n");
        assertThat(machine.run("callbacks", "--session", "joiner")).contains("delivered");
    }

    @Test
    void a_start_can_wait_for_the_end_of_its_run() {
        var run = machine.post("/runs?wait=60s", "{\"prompt\":\"sleep 300ms\\nresult done\"}");
        assertThat(Json.text(run, "state")).isEqualTo("finished");
        assertThat(Json.text(run, "result_text")).isEqualTo("done\n");
        var late = machine.post("/runs?wait=200ms", "{\"prompt\":\"sleep 3s\"}");
        assertThat(late.hasNonNull("completed_at")).isFalse();
        assertThat(Json.text(ended(late), "state")).isEqualTo("finished");
    }
}
