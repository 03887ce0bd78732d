package dev.coppice.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Codex itself as the agent of sessions, with a scripted model. */
class CodexScenes extends AgentScenes {
    CodexScenes() {
        super("codex");
    }

    @BeforeAll
    void define() throws IOException {
        var config = Files.createDirectories(home.resolve(".codex")).resolve("config.toml");
        Files.writeString(
                config,
                """
                model = "gpt-5.5"
                model_provider = "scripted"
                check_for_update_on_startup = false
                [analytics]
                enabled = false
                [model_providers.scripted]
                name = "scripted"
                base_url = "%s/v1"
                wire_api = "responses"
                env_key = "ANTHROPIC_API_KEY"
                request_max_retries = 0
                stream_max_retries = 0
                """
                        .formatted(model.url()));
        define("worker", Map.of("permission_mode", "never", "sandbox", "danger-full-access"));
    }

    @Test
    void a_run_prints_the_result_and_tells_of_its_tools_and_its_usage() {
        var out =
                run(
                        "plain",
                        "worker",
                        """
                        !spend 1000 50
                        !call exec_command {"cmd": "echo made by a tool"}
                        !say all done
                        """);
        assertThat(out).contains("all done");
        assertThat(events("plain", "pre_tool").toString()).contains("made by a tool");
        assertThat(events("plain", "post_tool").toString()).contains("made by a tool");
        assertThat(events("plain", "program_message")).isEmpty();
        var own = machine.get("/sessions/" + id("plain") + "/budget").get("own");
        assertThat(own.get("tokens").asLong()).isEqualTo(2 * 1050);
    }

    @Test
    void a_resumed_session_goes_on_in_its_own_thread() {
        run("again", "worker", "remember the word heron\n!say noted");
        var thread = Json.text(session("again"), "executor_session_id");
        assertThat(thread).isNotBlank();
        assertThat(machine.run("resume", "again", "-p", "which word?\n!say it was heron"))
                .contains("it was heron");
        assertThat(model.heard().getLast()).contains("remember the word heron", "which word?");
        assertThat(Json.text(session("again"), "executor_session_id")).isEqualTo(thread);
    }

    @Test
    void a_message_reaches_a_running_turn() {
        var started =
                begin(
                        "steered",
                        "worker",
                        "!call exec_command {\"cmd\": \"echo a; sleep 3\"}\n!say over");
        awaitEvent("steered", "pre_tool");
        var sent =
                Json.read(machine.run("send", "steered", "look at the heron", "--now", "--json"));
        assertThat(Json.text(sent, "when_busy")).isEqualTo("steer");
        assertThat(started.awaitExit()).isZero();
        assertThat(model.heard().getLast()).contains("look at the heron");
        var callback = machine.get("/callbacks/" + Json.text(sent, "callback_id"));
        assertThat(Json.text(callback, "state")).isEqualTo("delivered");
        assertThat(machine.get("/runs?session_id=" + id("steered")).get("runs")).hasSize(1);
    }

    @Test
    void a_stop_interrupts_the_turn_and_leaves_no_process() {
        begin(
                "stopped",
                "worker",
                "!call exec_command {\"cmd\": \"echo a; sleep 300\"}\n!say never");
        awaitEvent("stopped", "pre_tool");
        machine.run("stop", "stopped");
        machine.awaitState("stopped", "stopped");
        assertThat(machine.carrying("AGENT_SESSION_NAME=stopped")).isEmpty();
    }

    @Test
    void a_person_refuses_a_command() {
        define("untrusting", Map.of("permission_mode", "untrusted", "sandbox", "read-only"));
        var started =
                begin(
                        "asks",
                        "untrusting",
                        "!call exec_command {\"cmd\": \"touch refused.txt\"}\n!say done");
        awaitEvent("asks", "permission_request");
        machine.run("send", "asks", "decline");
        assertThat(started.awaitExit()).isZero();
        assertThat(events("asks", "permission_answer").toString()).contains("decline");
    }

    /** For programs without an app-server. */
    @Test
    void codex_exec_runs_and_resumes() {
        define("exec", Map.of("protocol", "exec", "permission_mode", "never"));
        assertThat(run("executed", "exec", "the word is egret\n!say first")).contains("first");
        assertThat(machine.run("resume", "executed", "-p", "again\n!say second"))
                .contains("second");
        assertThat(model.heard().getLast()).contains("the word is egret", "again");
    }

    /** An agent below has the prompt of the one above in its history, and goes on from there. */
    @Test
    void agents_of_a_thread_are_sessions_below_it() {
        var words = new ArrayList<>(program());
        words.addAll(List.of("--enable", "multi_agent_v2"));
        define("several", Map.of("permission_mode", "never", "command", words));
        run(
                "nest",
                "several",
                """
                !call collaboration::spawn_agent {"task_name": "look", "message": "look around"}
                !call exec_command {"cmd": "sleep 2; echo both"}
                !say done
                """);
        var children = children("nest");
        assertThat(children).hasSize(1);
        assertThat(Json.text(children.get(0), "session_name")).startsWith("look-");
        assertThat(Json.text(children.get(0), "state")).isIn("finished", "stopped");
    }

    @Test
    void an_agent_whose_budget_is_nearly_spent_reports_and_ends() {
        beginWithBudget(
                "poor",
                "worker",
                """
                !spend 4600 50
                !call exec_command {"cmd": "echo a"}
                !call exec_command {"cmd": "echo b"}
                !pause 20000
                !say never
                """);
        machine.awaitState("poor", "failed");
        var run = machine.get("/runs?session_id=" + id("poor")).get("runs").get(0);
        assertThat(Json.text(run, "error")).contains("budget is nearly spent", "It reported:");
        assertThat(model.heard().getLast()).contains("Do not go on with the work");
    }

    @Test
    void the_page_is_right_as_it_is_written() throws IOException {
        assertThat(page("docs/how-to/codex.md", "codex")).contains("heard: Say which files");
    }
}
