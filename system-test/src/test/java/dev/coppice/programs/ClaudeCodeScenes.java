package dev.coppice.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Map;

/** Claude Code itself as the agent of sessions, with a scripted model. */
class ClaudeCodeScenes extends AgentScenes {
    ClaudeCodeScenes() {
        super("claude-code");
    }

    @BeforeAll
    void define() {
        define("worker", Map.of("permission_mode", "bypassPermissions"));
    }

    @Test
    void a_run_prints_the_result_and_tells_of_its_tools_and_its_usage() {
        var out =
                run(
                        "plain",
                        "worker",
                        """
                        !spend 1000 50
                        !call Bash {"command": "echo made by a tool", "description": "say"}
                        !say all done
                        """);
        assertThat(out).contains("all done");
        assertThat(events("plain", "pre_tool").toString()).contains("Bash", "made by a tool");
        assertThat(events("plain", "post_tool").toString()).contains("made by a tool");
        assertThat(events("plain", "program_message")).isEmpty();
        var own = machine.get("/sessions/" + id("plain") + "/budget").get("own");
        assertThat(own.get("tokens").asLong()).isEqualTo(2 * 1050);
        assertThat(own.get("cost_micros").asLong()).isPositive();
    }

    @Test
    void a_resumed_session_goes_on_in_its_own_conversation() {
        run("again", "worker", "remember the word heron\n!say noted");
        var conversation = Json.text(session("again"), "executor_session_id");
        assertThat(conversation).isNotBlank();
        assertThat(machine.run("resume", "again", "-p", "which word?\n!say it was heron"))
                .contains("it was heron");
        assertThat(model.heard().getLast()).contains("remember the word heron", "which word?");
        assertThat(Json.text(session("again"), "executor_session_id")).isEqualTo(conversation);
    }

    @Test
    void a_message_reaches_a_running_turn() {
        var started =
                begin(
                        "steered",
                        "worker",
                        """
                        !call Bash {"command": "echo begin; sleep 3", "description": "wait"}
                        !say over
                        """);
        awaitEvent("steered", "pre_tool");
        var sent =
                Json.read(machine.run("send", "steered", "look at the heron", "--now", "--json"));
        assertThat(Json.text(sent, "when_busy")).isEqualTo("steer");
        assertThat(started.awaitExit()).isZero();
        assertThat(started.text()).contains("over");
        assertThat(model.heard().getLast()).contains("look at the heron");
        var callback = machine.get("/callbacks/" + Json.text(sent, "callback_id"));
        assertThat(Json.text(callback, "state")).isEqualTo("delivered");
        assertThat(machine.get("/runs?session_id=" + id("steered")).get("runs")).hasSize(1);
    }

    @Test
    void a_program_that_cannot_be_steered_hears_the_message_later() {
        var started = machine.start("start", "deaf", "-p", "sleep 2\nsay x");
        machine.awaitAtWork("deaf");
        var said = machine.run("send", "deaf", "say y", "--now");
        assertThat(said).contains("cannot hear", "waits for the end of its run");
        assertThat(started.awaitExit()).isZero();
    }

    @Test
    void a_person_allows_and_refuses_tools() {
        define("asking", Map.of("permission_mode", "default"));
        var started =
                begin(
                        "asks",
                        "asking",
                        """
                        !call Bash {"command": "touch allowed.txt", "description": "make"}
                        !call Bash {"command": "touch refused.txt", "description": "make"}
                        !say done
                        """);
        awaitEvent("asks", "permission_request");
        var top = machine.get("/activity").get("sessions").get(0);
        assertThat(Json.text(top, "attention")).isEqualTo("asks");
        machine.run("send", "asks", "allow");
        awaitEvents("asks", "permission_request", 2);
        machine.run("send", "asks", "not that file, please");
        assertThat(started.awaitExit()).isZero();
        assertThat(events("asks", "permission_answer").toString())
                .contains("allow", "not that file, please");
        assertThat(model.heard().getLast()).contains("not that file, please");
        assertThat(events("asks", "post_tool").getLast().hasNonNull("error")).isTrue();
    }

    @Test
    void subagents_are_sessions_below_their_agents() {
        var out =
                run(
                        "nest",
                        "worker",
                        """
                        !call Agent {"description": "look", "prompt": "!call Bash {\\"command\\": \\"echo from below\\"}\\n!say found it", "subagent_type": "general-purpose"}
                        !say all done
                        """);
        assertThat(out).contains("all done");
        var tree = children("nest");
        assertThat(tree).hasSize(1);
        var below = tree.get(0);
        assertThat(Json.text(below, "session_name")).startsWith("general-purpose-");
        assertThat(Json.text(below, "state")).isEqualTo("finished");
        var name = String.valueOf(Json.text(below, "session_name"));
        assertThat(events(name, "pre_tool").toString()).contains("echo from below");
        assertThat(events(name, "result").toString()).contains("found it");
        assertThat(events("nest", "pre_tool").toString()).doesNotContain("echo from below\"}");
    }

    @Test
    void a_stop_interrupts_the_turn_and_leaves_no_process() {
        begin(
                "stopped",
                "worker",
                "!call Bash {\"command\": \"echo begin; sleep 300\"}\n!say never");
        awaitEvent("stopped", "pre_tool");
        machine.run("stop", "stopped");
        machine.awaitState("stopped", "stopped");
        assertThat(machine.carrying("AGENT_SESSION_NAME=stopped")).isEmpty();
        // The conversation is there, and goes on.
        assertThat(machine.run("resume", "stopped", "-p", "!say back again"))
                .contains("back again");
        assertThat(model.heard().getLast()).contains("sleep 300");
    }

    @Test
    void an_agent_whose_budget_is_nearly_spent_reports_and_ends() {
        beginWithBudget(
                "poor",
                "worker",
                """
                !spend 9200 50
                !call Bash {"command": "echo begin; sleep 60", "description": "wait"}
                !say never
                """);
        machine.awaitState("poor", "failed");
        var run = machine.get("/runs?session_id=" + id("poor")).get("runs").get(0);
        assertThat(Json.text(run, "error")).contains("budget is nearly spent", "It reported:");
        assertThat(model.heard().getLast()).contains("Do not go on with the work");
    }

    @Test
    void a_met_quota_keeps_what_was_said() {
        var started =
                begin(
                        "quota",
                        "worker",
                        """
                        !call Bash {"command": "echo a", "description": "a"}
                        !failafter 429 rate_limit_error
                        """);
        assertThat(started.awaitExit()).isNotZero();
        var run = machine.get("/runs?session_id=" + id("quota")).get("runs").get(0);
        assertThat(Json.text(run, "error_kind")).isEqualTo("rate_limited");
    }

    @Test
    void an_agent_starts_a_child_is_woken_by_it_and_deletes_it() {
        var out =
                run(
                        "mother",
                        "worker",
                        """
                        !call mcp__coppice__start_agent_session {"session_name": "daughter", "agent_name": "scripted", "prompt": "say found by daughter", "mode": "async_callback"}
                        !say waiting
                        """);
        assertThat(out).contains("waiting");
        Eventually.await(
                () -> machine.get("/runs?session_id=" + id("mother")).get("runs").size() == 2,
                () -> machine.get("/runs?session_id=" + id("mother")).toString());
        machine.awaitState("mother", "finished");
        assertThat(model.heard().getLast()).contains("found by daughter");
        assertThat(Json.text(session("daughter"), "parent_session_name")).isEqualTo("mother");
        var deleted =
                machine.run(
                        "resume",
                        "mother",
                        "-p",
                        """
                        !call mcp__coppice__delete_session {"session_name": "daughter"}
                        !call mcp__coppice__delete_session {"session_name": "daughter", "confirm": "$confirm"}
                        !say deleted it
                        """);
        assertThat(deleted).contains("deleted it");
        assertThat(events("mother", "post_tool").getLast().toString()).contains("deletion_summary");
        assertThat(machine.client().get("/sessions/by-name/daughter").status()).isEqualTo(410);
    }

    @Test
    void the_page_is_right_as_it_is_written() throws IOException {
        assertThat(page("docs/how-to/claude-code.md", "claude"))
                .contains("heard: Start two agents");
        machine.run("rm", "plan", "--yes");
        machine.run("blueprints", "rm", "claude", "--yes");
        assertThat(page("README.md", "claude")).contains("heard: Start two agents");
    }

    @Test
    void a_conversation_that_is_gone_is_begun_anew_and_the_events_say_so() {
        run("gone", "worker", "!say first");
        change("gone", "00000000-0000-4000-8000-000000000000");
        assertThat(machine.run("resume", "gone", "-p", "!say second")).contains("second");
        assertThat(events("gone", "conversation_lost").toString())
                .contains("00000000-0000-4000-8000-000000000000");
        // What is no id could be an option of the program.
        change("gone", "--dangerously-skip-permissions");
        var refused = machine.start("resume", "gone", "-p", "!say third");
        assertThat(refused.awaitExit()).isNotZero();
        assertThat(refused.text()).contains("is no id of a conversation");
    }

    private void change(String name, String programSession) {
        var fields = Map.of("executor_session_id", programSession);
        var answer =
                machine.client()
                        .call("PATCH", "/sessions/" + id(name) + "/metadata", fields, Map.of());
        assertThat(answer.isGood()).as("%s", answer.body()).isTrue();
    }

    @Test
    void a_kill_leaves_no_process_and_the_conversation_goes_on() {
        begin("killed", "worker", "!call Bash {\"command\": \"echo a; sleep 300\"}\n!say never");
        awaitEvent("killed", "pre_tool");
        var drivers = machine.carrying("AGENT_SESSION_NAME=killed");
        assertThat(drivers).isNotEmpty();
        drivers.forEach(ProcessHandle::destroyForcibly);
        machine.awaitState("killed", "failed");
        assertThat(machine.carrying("AGENT_SESSION_NAME=killed")).isEmpty();
        assertThat(machine.run("resume", "killed", "-p", "!say back again")).contains("back again");
        assertThat(model.heard().getLast()).contains("sleep 300");
    }

    @Test
    void background_commands_are_waited_for() {
        var out =
                run(
                        "behind",
                        "worker",
                        """
                        !call Bash {"command": "echo begin; sleep 3; echo end", "run_in_background": true, "description": "later"}
                        !say meanwhile
                        """);
        assertThat(out).contains("meanwhile");
        assertThat(events("behind", "background_task_ended")).hasSize(1);
        assertThat(events("behind", "turn_ended")).hasSize(2);
    }
}
