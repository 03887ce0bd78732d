package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.scene.Temporary;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;

/** Claude Code itself as the agent of sessions, with a scripted model. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClaudeCodeScenes {
    /** The variable that names the program. */
    static final String PROGRAM = "TEST_CLAUDE";

    private final ScriptedModel model = new ScriptedModel();
    private final Machine machine = new Machine(environment());

    private Map<String, String> environment() {
        return Map.of(
                "HOME", Temporary.directory("coppice-claude-home").toString(),
                "ANTHROPIC_BASE_URL", model.url(),
                "ANTHROPIC_API_KEY", "none",
                "DISABLE_TELEMETRY", "1",
                "DISABLE_AUTOUPDATER", "1",
                "DISABLE_ERROR_REPORTING", "1",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1",
                "IS_SANDBOX", "1");
    }

    @BeforeAll
    void start() {
        machine.up();
        define("claude", "bypassPermissions");
    }

    private void define(String name, String mode) {
        var blueprint =
                Map.of(
                        "name",
                        name,
                        "kind",
                        "claude-code",
                        "command",
                        List.of(String.valueOf(System.getenv(PROGRAM))),
                        "permission_mode",
                        mode);
        machine.post("/agents", Json.write(blueprint));
    }

    @AfterAll
    void stop() {
        machine.close();
        model.close();
    }

    private JsonNode session(String name) {
        return machine.get("/sessions/by-name/" + name).get("session");
    }

    private String id(String name) {
        return String.valueOf(Json.text(session(name), "session_id"));
    }

    private String start(String name, String prompt) {
        return machine.run("start", name, "--agent", "claude", "-p", prompt);
    }

    private List<JsonNode> events(String name, String type) {
        return machine.get("/sessions/" + id(name) + "/events?limit=200")
                .get("events")
                .valueStream()
                .filter(event -> type.equals(Json.text(event, "event_type")))
                .toList();
    }

    @Test
    void a_run_prints_the_result_and_tells_of_its_tools_and_its_usage() {
        var out =
                start(
                        "plain",
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
        start("again", "remember the word heron\n!say noted");
        var conversation = Json.text(session("again"), "executor_session_id");
        assertThat(conversation).isNotBlank();
        assertThat(machine.run("resume", "again", "-p", "which word?\n!say it was heron"))
                .contains("it was heron");
        assertThat(model.heard().getLast()).contains("remember the word heron", "which word?");
        assertThat(Json.text(session("again"), "executor_session_id")).isEqualTo(conversation);
    }

    private Machine.Program begin(String name, String agent, String prompt) {
        return machine.start("start", name, "--agent", agent, "-p", prompt);
    }

    private void awaitEvent(String name, String type) {
        Eventually.await(
                () ->
                        machine.client().get("/sessions/by-name/" + name).isGood()
                                && !events(name, type).isEmpty(),
                () -> name + " has no " + type + " yet");
    }

    @Test
    void a_message_reaches_a_running_turn() {
        var started =
                begin(
                        "steered",
                        "claude",
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
        define("asking", "default");
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
        Eventually.await(
                () -> events("asks", "permission_request").size() == 2, () -> "one question");
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
                start(
                        "nest",
                        """
                        !call Agent {"description": "look", "prompt": "!call Bash {\\"command\\": \\"echo from below\\"}\\n!say found it", "subagent_type": "general-purpose"}
                        !say all done
                        """);
        assertThat(out).contains("all done");
        var tree = machine.get("/sessions/" + id("nest") + "/children").get("children");
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
                "claude",
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
}
