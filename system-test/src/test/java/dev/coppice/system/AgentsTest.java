package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.nio.file.Files;
import java.util.List;

/** Runs command agents and scripted agents, and checks how their ends look from outside. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentsTest {
    private final Machine machine = new Machine();

    @BeforeAll
    void start() {
        machine.up();
        machine.post("/agents", "{\"name\":\"sh\",\"kind\":\"command\",\"command\":[\"bash\"]}");
    }

    @AfterAll
    void stop() {
        machine.close();
    }

    private JsonNode ended(String request) {
        var run = machine.post("/runs", request);
        return machine.get("/runs/" + Json.text(run, "run_id") + "?wait=30s");
    }

    @Test
    void a_command_that_exits_with_zero_is_finished_with_its_output() {
        var run = ended("{\"agent_name\":\"sh\",\"prompt\":\"echo hello\"}");
        assertThat(Json.text(run, "status")).isEqualTo("completed");
        assertThat(Json.text(run, "result_text")).isEqualTo("hello\n");
        assertThat(run.get("result_data").isNull()).isTrue();
    }

    @Test
    void output_that_is_json_is_result_data_too() {
        var run = ended("{\"agent_name\":\"sh\",\"prompt\":\"echo '{\\\"a\\\":[1]}'\"}");
        assertThat(run.get("result_data").toString()).isEqualTo("{\"a\":[1]}");
    }

    @Test
    void a_command_that_exits_with_an_error_has_failed_with_the_end_of_its_stderr() {
        var run =
                ended(
                        "{\"session_name\":\"bad\",\"agent_name\":\"sh\",\"prompt\":\"echo first"
                                + " >&2; echo reason >&2; exit 3\"}");
        assertThat(Json.text(run, "status")).isEqualTo("failed");
        assertThat(Json.text(run, "error")).isEqualTo("first\nreason");
        assertThat(machine.state("bad")).isEqualTo("failed");
        assertThat(ended("{\"agent_name\":\"sh\",\"prompt\":\"exit 4\"}").get("error").asString())
                .isEqualTo("Process exited with code 4");
    }

    /** The output of the run is stored up to the limit; the rest uses no disk space. */
    @Test
    void an_agent_that_exceeds_output_bytes_is_ended_and_its_tree_starts_no_run() throws Exception {
        var run =
                ended(
                        "{\"session_name\":\"loud\",\"agent_name\":\"sh\",\"prompt\":\"yes\","
                                + "\"limits\":{\"output_bytes\":50000}}");
        assertThat(Json.text(run, "status")).isEqualTo("failed");
        assertThat(Json.text(run, "error"))
                .contains("output_bytes", "the first 50000 bytes are kept");
        var output = machine.data().resolve("runner/runs/" + Json.text(run, "run_id"));
        assertThat(Files.size(output.resolve("stdout")) + Files.size(output.resolve("stderr")))
                .isEqualTo(50_000);
        var again =
                machine.refused(
                        "/runs",
                        "{\"type\":\"resume_session\",\"session_name\":\"loud\",\"prompt\":\"yes\"}");
        assertThat(again.error()).contains("'output_bytes' of 50000 bytes", "50001 bytes");
    }

    /** Each zero byte takes six bytes as JSON; most random bytes take three as text. */
    @Test
    void binary_output_is_cut_to_the_limit_of_the_coordinator() {
        for (var source : List.of("/dev/zero", "/dev/urandom")) {
            var run =
                    ended(
                            "{\"agent_name\":\"sh\",\"prompt\":\"head -c 6000000 %s\"}"
                                    .formatted(source));
            assertThat(Json.text(run, "status")).as(source).isEqualTo("completed");
            assertThat(Json.text(run, "result_text")).contains("[cut here: ");
        }
    }

    @Test
    void output_printed_between_two_checks_counts_too() {
        var run =
                ended(
                        "{\"session_name\":\"quick\",\"agent_name\":\"sh\",\"prompt\":\"head -c"
                                + " 60000 /dev/zero\",\"limits\":{\"output_bytes\":50000}}");
        assertThat(Json.text(run, "error")).contains("the first 50000 bytes are kept");
    }

    @Test
    void resuming_runs_the_same_command_in_the_same_directory() {
        ended("{\"session_name\":\"again\",\"agent_name\":\"sh\",\"prompt\":\"echo one > note\"}");
        var run =
                ended(
                        "{\"type\":\"resume_session\",\"session_name\":\"again\",\"prompt\":\"cat"
                                + " note\"}");
        assertThat(Json.text(run, "result_text")).isEqualTo("one\n");
        assertThat(Json.text(run, "type")).isEqualTo("resume_session");
    }

    @Test
    void a_program_that_does_not_exist_is_a_failed_run_that_says_so() {
        machine.post(
                "/agents",
                "{\"name\":\"none\",\"kind\":\"command\",\"command\":[\"/no/such/program\"]}");
        assertThat(Json.text(ended("{\"agent_name\":\"none\",\"prompt\":\"x\"}"), "error"))
                .contains("/no/such/program");
        assertThat(
                        Json.text(
                                ended(
                                        "{\"agent_name\":\"sh\",\"prompt\":\"x\",\"project_dir\":\"/no/such/dir\"}"),
                                "error"))
                .contains("/no/such/dir");
    }

    @Test
    void a_result_must_match_its_output_schema() {
        machine.post(
                "/agents",
                "{\"name\":\"typed\",\"kind\":\"command\",\"command\":[\"bash\"],\"output_schema\":{\"type\":\"object\",\"required\":[\"n\"]}}");
        assertThat(
                        Json.text(
                                ended(
                                        "{\"agent_name\":\"typed\",\"prompt\":\"echo"
                                                + " '{\\\"n\\\":1}'\"}"),
                                "status"))
                .isEqualTo("completed");
        machine.post(
                "/agents",
                "{\"name\":\"stubborn\",\"kind\":\"command\",\"command\":[\"echo\",\"{}\"],\"output_schema\":{\"type\":\"object\",\"required\":[\"n\"]}}");
        var broken = ended("{\"agent_name\":\"stubborn\",\"prompt\":\"go\"}");
        assertThat(Json.text(broken, "status")).isEqualTo("failed");
        assertThat(Json.text(broken, "error")).contains("output_schema");
    }

    /** The retry succeeds because its prompt says what was wrong. */
    @Test
    void a_result_that_violates_its_schema_is_returned_to_the_agent_once() {
        var script =
                "read -r said; case \"$said\" in *output_schema*) echo '{\"n\":2}';; *) echo '{}';;"
                        + " esac";
        var blueprint = Json.object().put("name", "learns").put("kind", "command");
        blueprint.putArray("command").add("bash").add("-c").add(script);
        blueprint.set("output_schema", Json.read("{\"type\":\"object\",\"required\":[\"n\"]}"));
        machine.post("/agents", blueprint.toString());
        var run = ended("{\"agent_name\":\"learns\",\"prompt\":\"go\"}");
        assertThat(Json.text(run, "status")).as(run.toString()).isEqualTo("completed");
        assertThat(run.get("result_data").toString()).isEqualTo("{\"n\":2}");
    }

    @Test
    void an_agent_that_is_silent_for_too_long_is_timed_out_and_ended() {
        machine.post(
                "/agents",
                "{\"name\":\"quiet\",\"kind\":\"command\",\"command\":[\"sleep\",\"600\"],\"silence_max\":\"1s\"}");
        var run = ended("{\"session_name\":\"quiet\",\"agent_name\":\"quiet\",\"prompt\":\"x\"}");
        assertThat(Json.text(run, "state")).isEqualTo("timed_out");
        assertThat(Json.text(run, "error")).contains("silent");
        Eventually.await(
                () -> machine.carrying("AGENT_SESSION_NAME=quiet").isEmpty(),
                () -> "the process still runs");
    }

    /** The agent reports no event for longer than {@code silence_max}, but keeps printing. */
    @Test
    void an_agent_that_prints_is_not_silent() {
        machine.post(
                "/agents",
                "{\"name\":\"prints\",\"kind\":\"command\",\"command\":[\"bash\"],\"silence_max\":\"7s\"}");
        var script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $i; sleep 1; done";
        var run = ended("{\"agent_name\":\"prints\",\"prompt\":\"" + script + "\"}");
        assertThat(Json.text(run, "state")).as(run.toString()).isEqualTo("finished");
        assertThat(Json.text(run, "result_text")).endsWith("12\n");
    }

    @Test
    void background_processes_of_an_agent_end_with_its_run() {
        var run = ended("{\"agent_name\":\"sh\",\"prompt\":\"sleep 600 & disown; echo left\"}");
        assertThat(Json.text(run, "result_text")).isEqualTo("left\n");
        assertThat(machine.carrying("COPPICE_RUN_ID=" + Json.text(run, "run_id"))).isEmpty();
    }

    @Test
    void a_stop_ends_a_program_that_ignores_sigterm() {
        machine.run("start", "deaf", "--mode", "async_poll", "-p", "ignore-term\nhang");
        machine.awaitState("deaf", "running");
        machine.run("stop", "deaf", "--deadline", "300ms");
        machine.awaitState("deaf", "stopped");
    }

    @Test
    void an_agent_gets_its_own_identity_but_no_secret_of_the_coordinator() {
        var run = ended("{\"session_name\":\"env\",\"agent_name\":\"sh\",\"prompt\":\"env\"}");
        var env = String.valueOf(Json.text(run, "result_text"));
        assertThat(env)
                .contains(
                        "AGENT_SESSION_NAME=env",
                        "AGENT_SESSION_ID=ses_",
                        "COPPICE_URL=http://127.0.0.1:",
                        "COPPICE_TOKEN=agent.");
        assertThat(env).doesNotContain(machine.read("token"), "COPPICE_DATA");
    }

    @Test
    void every_command_of_the_script_language_works() throws Exception {
        var script =
                """
                # a comment
                say one
                emit note {"detail":"x"}
                write sub/file.txt
                  two lines
                  of text
                spawn kid mode=async_poll
                  sleep 10ms
                  say kid is done
                wait kid
                env AGENT_SESSION_NAME
                """;
        var run =
                ended(
                        Json.object()
                                .put("session_name", "words")
                                .put("prompt", script)
                                .put("project_dir", machine.data().toString())
                                .toString());
        assertThat(Json.text(run, "result_text"))
                .isEqualTo("one\nkid finished: kid is done\nAGENT_SESSION_NAME=words\n");
        assertThat(Files.readString(machine.data().resolve("sub/file.txt")))
                .isEqualTo("two lines\nof text\n");
        var events =
                machine.get("/sessions/" + Json.text(run, "session_id") + "/events").get("events");
        assertThat(events.findValuesAsString("event_type"))
                .contains("run_start", "message", "note", "result", "run_completed");
        assertThat(
                        Json.text(
                                ended("{\"prompt\":\"say a\\nresult {\\\"x\\\":1}\"}")
                                        .get("result_data"),
                                "x"))
                .isEqualTo("1");
        assertThat(Json.text(ended("{\"prompt\":\"fail for a reason\"}"), "error"))
                .isEqualTo("for a reason");
        assertThat(Json.text(ended("{\"prompt\":\"dance\"}"), "error"))
                .contains("line 1 of the script", "dance");
    }

    @Test
    void nested_waits_do_not_deadlock_on_a_runner_of_capacity_one() {
        try (var small = new Machine()) {
            small.up("--capacity", "1");
            var script =
                    """
                    spawn w1 mode=sync
                      spawn w2 mode=sync
                        say deep
                      say middle
                    say top
                    """;
            var output = small.run("start", "w0", "-p", script);
            assertThat(output).contains("w1 finished", "w2 finished: deep");
        }
    }

    /** An uncut result of this size would be refused, and the run lost when its lease expires. */
    @Test
    void oversized_output_is_cut_and_marked() {
        var request = Json.object().put("agent_name", "sh");
        request.put("prompt", "head -c 9000000 /dev/zero | tr '\\0' x");
        var run = ended(request.toString());
        assertThat(Json.text(run, "status")).isEqualTo("completed");
        assertThat(Json.text(run, "result_text"))
                .endsWith("[cut here: 7340032 of 9000000 bytes]\n");
    }

    private void script(String name, String content) {
        var script =
                Json.object()
                        .put("name", name)
                        .put("description", "a script")
                        .put("script_file", name + ".sh")
                        .put("script_content", content);
        machine.post("/scripts", script.toString());
    }

    private void procedural(String name, String content) {
        script(name, content);
        var agent = Json.object().put("name", name).put("type", "procedural").put("script", name);
        machine.post("/agents", agent.toString());
    }

    @Test
    void a_procedural_agent_gets_its_parameters_as_arguments_and_its_result_is_data() {
        procedural("args", "#!/bin/sh\necho \"$@\"\necho hint >&2\n");
        var run =
                ended(
                        """
                        {"agent_name": "args", "session_name": "args", "parameters":
                          {"who": "a b", "loud": true, "quiet": false, "none": null,
                           "list": ["x", 1], "deep": {"k": 2}}}\
                        """);
        assertThat(Json.text(run, "status")).isEqualTo("completed");
        assertThat(run.get("result_text").isNull()).isTrue();
        assertThat(run.get("result_data"))
                .isEqualTo(
                        Json.object()
                                .put("return_code", 0)
                                .put("stdout", "--who a b --loud --list x,1 --deep {\"k\":2}")
                                .put("stderr", "hint"));
        var again =
                machine.refused(
                        "/runs",
                        "{\"type\":\"resume_session\",\"session_name\":\"args\","
                                + "\"prompt\":\"x\"}");
        assertThat(again.status()).isEqualTo(400);
        assertThat(again.body().at("/detail/error").asString())
                .isEqualTo("procedural_agent_no_resume");
    }

    @Test
    void json_of_a_procedural_agent_is_passed_on_and_its_exit_code_decides() {
        procedural("json", "#!/bin/sh\necho '{\"a\": [1]}'\n");
        var run = ended("{\"agent_name\": \"json\", \"parameters\": {}}");
        assertThat(run.get("result_data").toString()).isEqualTo("{\"a\":[1]}");
        procedural("fails", "#!/bin/sh\necho reason >&2\nexit 3\n");
        var failed = ended("{\"agent_name\": \"fails\", \"parameters\": {}}");
        assertThat(Json.text(failed, "status")).isEqualTo("failed");
        assertThat(Json.text(failed, "error")).isEqualTo("reason");
    }

    /** A run keeps the script that it was started with. */
    @Test
    void an_agent_calls_the_script_of_its_capability_where_its_prompt_says() {
        script("stamp", "#!/bin/sh\necho \"stamped $2\"\n");
        machine.post(
                "/capabilities",
                "{\"name\": \"stamping\", \"description\": \"d\", \"script\": \"stamp\"}");
        machine.post(
                "/agents",
                "{\"name\": \"stamper\", \"command\": [\"bash\"], \"capabilities\":"
                        + " [\"stamping\"]}");
        var prompt = "$(grep -o '/.*/stamp.sh' <<<$AGENT_SYSTEM_PROMPT | head -1) --on paper";
        var request = Json.object().put("agent_name", "stamper").put("prompt", prompt);
        assertThat(Json.text(ended(request.toString()), "result_text"))
                .isEqualTo("stamped paper\n");
    }
}
