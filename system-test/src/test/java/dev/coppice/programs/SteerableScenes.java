package dev.coppice.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.scene.InSoak;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

/** Scenes of each program that can be steered. The blueprint {@code worker} asks nobody. */
abstract class SteerableScenes extends AgentScenes {
    SteerableScenes(String kind) {
        super(kind);
    }

    /** The line of a script that has the program run a command of the shell. */
    abstract String call(String shell);

    @Test
    void a_run_prints_the_result_and_tells_of_its_tools_and_its_usage() {
        var prompt = "!spend 1000 50\n" + call("echo made by a tool") + "\n!say all done";
        assertThat(run("plain", "worker", prompt)).contains("all done");
        assertThat(events("plain", "pre_tool").toString()).contains("made by a tool");
        assertThat(events("plain", "post_tool").toString()).contains("made by a tool");
        assertThat(events("plain", "program_message")).isEmpty();
        var own = machine.get("/sessions/" + id("plain") + "/budget").get("own");
        assertThat(own.get("tokens").asLong()).isEqualTo(2 * 1050);
    }

    @Test
    @InSoak
    void a_resumed_session_goes_on_in_its_own_conversation() {
        run("again", "worker", "remember the word heron\n!say noted");
        var before = Json.text(session("again"), "executor_session_id");
        assertThat(before).isNotBlank();
        assertThat(machine.run("resume", "again", "-p", "which word?\n!say it was heron"))
                .contains("it was heron");
        assertThat(model.heard().getLast()).contains("remember the word heron", "which word?");
        assertThat(Json.text(session("again"), "executor_session_id")).isEqualTo(before);
        // The usage of the first run is not counted again.
        var own = machine.get("/sessions/" + id("again") + "/budget").get("own");
        assertThat(own.get("tokens").asLong()).isEqualTo(2 * 120);
    }

    @Test
    void a_message_reaches_a_running_turn() {
        var started = watch("steered", "worker", call("echo begin; sleep 3") + "\n!say over");
        awaitEvent("steered", "pre_tool");
        Eventually.await(() -> started.text().contains("echo begin; sleep 3"), started::text);
        var sent =
                Json.read(machine.run("send", "steered", "look at the heron", "--now", "--json"));
        assertThat(Json.text(sent, "when_busy")).isEqualTo("steer");
        assertThat(started.awaitExit()).isZero();
        assertThat(started.text()).containsOnlyOnce("over");
        assertThat(model.heard().getLast()).contains("look at the heron");
        var callback = machine.get("/callbacks/" + Json.text(sent, "callback_id"));
        assertThat(Json.text(callback, "state")).isEqualTo("delivered");
        assertThat(machine.get("/runs?session_id=" + id("steered")).get("runs")).hasSize(1);
    }

    @Test
    void a_stop_interrupts_the_turn_and_leaves_no_process() {
        begin("stopped", "worker", call("echo begin; sleep 300") + "\n!say never");
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
    @InSoak
    void an_agent_whose_budget_is_nearly_spent_reports_and_ends() {
        var prompt =
                String.join(
                        "\n",
                        "!spend 4600 50",
                        call("echo one"),
                        call("echo two"),
                        "!pause 20000",
                        "!say never");
        beginWithBudget("poor", "worker", prompt);
        machine.awaitState("poor", "failed");
        var run = machine.get("/runs?session_id=" + id("poor")).get("runs").get(0);
        assertThat(Json.text(run, "error")).contains("budget is nearly spent", "It reported:");
        assertThat(model.heard().getLast()).contains("Do not go on with the work");
    }
}
