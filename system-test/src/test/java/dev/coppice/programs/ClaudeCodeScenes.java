package dev.coppice.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.scene.InSoak;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Claude Code itself as the agent of sessions, with a scripted model. */
class ClaudeCodeScenes extends SteerableScenes {
    ClaudeCodeScenes() {
        super("claude-code");
    }

    @Override
    String call(String shell) {
        var input = Map.of("command", shell, "description", "as the script says");
        return "!call Bash " + Json.write(input);
    }

    @BeforeAll
    void define() {
        define("worker", Map.of("permission_mode", "bypassPermissions"));
    }

    /** Codex does not tell what its tokens cost. */
    @Test
    @InSoak
    void dollars_are_counted() {
        run("dear", "worker", "!say hello");
        var own = machine.get("/sessions/" + id("dear") + "/budget").get("own");
        assertThat(own.get("cost_micros").asLong()).isPositive();
    }

    @Test
    @InSoak
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
    @InSoak
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

    /** With the token of its session, the program's own hooks are events of that session. */
    @Test
    void hooks_of_the_program_arrive_in_its_session() {
        var hook =
                Map.of(
                        "type",
                        "http",
                        "url",
                        machine.url() + "/events",
                        "headers",
                        Map.of("Authorization", "Bearer $COPPICE_TOKEN"),
                        "allowedEnvVars",
                        List.of("COPPICE_TOKEN"));
        var each = List.of(Map.of("matcher", "*", "hooks", List.of(hook)));
        var settings = Map.of("hooks", Map.of("PreToolUse", each, "SubagentStop", each));
        var words = new ArrayList<>(program());
        words.addAll(List.of("--settings", Json.write(settings)));
        define("hooked", Map.of("permission_mode", "bypassPermissions", "command", words));
        run(
                "hooked",
                "hooked",
                """
                !call Agent {"description": "look", "prompt": "!say found it", "subagent_type": "general-purpose"}
                !call Bash {"command": "echo seen", "description": "a"}
                !say done
                """);
        assertThat(events("hooked", "PreToolUse").toString()).contains("echo seen");
        assertThat(events("hooked", "SubagentStop")).hasSize(1);
        assertThat(Json.text(session("hooked"), "state")).isEqualTo("finished");
        assertThat(children("hooked")).hasSize(1);
        var program = String.valueOf(Json.text(session("hooked"), "executor_session_id"));
        assertThat(machine.client().get("/sessions/" + program).status()).isEqualTo(404);
    }

    /** Claude Code is connected, started by a person, and stands in a tree with its subagent. */
    @Test
    void a_session_that_a_person_starts_stands_in_a_tree() throws Exception {
        var settings = Files.createDirectories(home.resolve(".claude")).resolve("settings.json");
        var before = "{ \"model\":\"opus\" }";
        Files.writeString(settings, before);
        assertThat(machine.run("connect", "claude-code"))
                .contains("+", "Bearer …", "/hooks/claude-code");
        var project = Files.createDirectories(home.resolve("shop"));
        byHand(
                project,
                """
                !call Agent {"description": "look", "prompt": "!say found it", "subagent_type": "general-purpose"}
                !say done
                """);
        // A session is named by its directory, and by a suffix because there may be others.
        var top = machine.get("/sessions?name=shop-").get("sessions").get(0);
        var below =
                machine.get("/sessions/" + Json.text(top, "session_id") + "/children")
                        .get("children");
        assertThat(below).hasSize(1);
        assertThat(Json.text(top, "state")).isEqualTo("finished");
        var child = machine.get("/sessions/" + Json.text(below.get(0), "session_id"));
        assertThat(Json.text(child.get("session"), "state")).isEqualTo("finished");
        var relations =
                machine.get("/sessions/" + Json.text(below.get(0), "session_id") + "/relations");
        assertThat(relations.toString()).contains("\"evidence\":\"tool_response\"");
        // A program that Coppice starts has one session, although the hooks are a person's.
        run("driven", "worker", "!call Bash {\"command\": \"echo x\", \"description\": \"a\"}");
        var program = String.valueOf(Json.text(session("driven"), "executor_session_id"));
        assertThat(machine.client().get("/sessions/" + program).status()).isEqualTo(404);
        machine.run("connect", "claude-code", "--undo");
        assertThat(Files.readString(settings)).isEqualTo(before);
        assertThat(machine.run("token", "list")).doesNotContain("hooks of claude-code");
    }

    @Test
    @InSoak
    void a_person_answers_what_a_session_by_hand_asks() throws Exception {
        machine.run("connect", "claude-code", "--ask", "60s", "--unanswered", "deny");
        var project = Files.createDirectories(home.resolve("asking"));
        var touch =
                """
                !call Bash {"command": "touch %1$s", "description": "make %1$s"}
                !say done
                """;
        var first = inBackground(project, touch.formatted("one.txt"), "default");
        var ask = machine.awaitAsk("touch one.txt");
        machine.run("ask", "answer", ask, "allow", "--for", "1h", "--match", "Bash(touch *)");
        first.awaitGood();
        assertThat(project.resolve("one.txt")).exists();
        // The answer in advance is for another session.
        var second = inBackground(project, touch.formatted("two.txt"), "default");
        machine.run("ask", "answer", machine.awaitAsk("touch two.txt"), "deny");
        second.awaitGood();
        assertThat(project.resolve("two.txt")).doesNotExist();
        assertThat(machine.run("ask", "standing")).contains("Bash(touch *)");
        machine.run("connect", "claude-code", "--undo");
    }

    /** A coordinator that cannot read transcripts is told of cost and places by telemetry. */
    @Test
    @InSoak
    void telemetry_tells_of_cost() throws Exception {
        var other = Files.createDirectories(home.resolve("other"));
        var there = Map.of("HOME", other.toString());
        var connect = machine.startWith(there, "connect", "claude-code", "--telemetry");
        assertThat(connect.awaitExit()).isZero();
        assertThat(connect.text()).contains("OTEL_EXPORTER_OTLP_ENDPOINT");
        var project = Files.createDirectories(home.resolve("metered"));
        var prompt = List.of("-p", "!spend 4000 50\n!say done");
        byHand(project, prompt, there).awaitGood();
        var top = String.valueOf(Json.text(observed("metered"), "session_id"));
        Eventually.await(
                () -> machine.run("usage", top).contains("4050"), () -> machine.run("usage", top));
        var undo = machine.startWith(there, "connect", "claude-code", "--undo");
        assertThat(undo.awaitExit()).isZero();
        assertThat(other.resolve(".claude").resolve("settings.json")).doesNotExist();
    }

    @Test
    @InSoak
    void what_nobody_can_answer_is_denied_while_coppice_is_down() throws Exception {
        machine.run("connect", "claude-code", "--ask", "60s", "--unanswered", "deny");
        var settings = home.resolve(".claude").resolve("settings.json");
        var connected = Files.readString(settings);
        Files.writeString(settings, connected.replace(":" + machine.port() + "/", ":1/"));
        var project = Files.createDirectories(home.resolve("closed"));
        var touch = "!call Bash {\"command\": \"touch one.txt\", \"description\": \"make\"}\n";
        inBackground(project, touch + "!say done", "default").awaitGood();
        assertThat(project.resolve("one.txt")).doesNotExist();
        assertThat(model.heard().getLast()).contains("blocking because onFailure");
        Files.writeString(settings, connected);
        machine.run("connect", "claude-code", "--undo");
    }

    @Test
    @InSoak
    void subagents_have_their_place_from_their_birth_and_obey_the_tree() throws Exception {
        var settings = Files.createDirectories(home.resolve(".claude")).resolve("settings.json");
        Files.deleteIfExists(settings);
        machine.run("connect", "claude-code", "--mod");
        var project = Files.createDirectories(home.resolve("modded"));
        byHand(project, agent("look", agent("in", "!say in") + "\n!say out") + "\n!say done");
        var top = machine.get("/sessions?name=modded-").get("sessions").get(0);
        var id = Json.text(top, "session_id");
        var below = machine.get("/sessions/" + id + "/descendants").get("descendants");
        assertThat(below).hasSize(2);
        for (var one : below) {
            var relations = machine.get("/sessions/" + Json.text(one, "session_id") + "/relations");
            assertThat(relations.toString()).contains("\"evidence\"").doesNotContain("inferred");
        }
        // One that is over its budget gets no more, although its program knows nothing of it.
        assertSubagentsObey((directory, command) ->
                inBackground(
                        Files.createDirectories(home.resolve(directory)),
                        "!call Bash %s\n%s\n!say done"
                                .formatted(
                                        Json.write(
                                                Map.of("command", command, "description", "wait")),
                                        agent("no", "!say no")),
                        "bypassPermissions"));
        // A program that Coppice starts has the person's mod, which does not know its session.
        machine.run(
                "start",
                "own",
                "--agent",
                "worker",
                "--limits",
                "{\"descendants\":0}",
                "-p",
                agent("no", "!say no") + "\n!say done");
        assertThat(machine.run("events", "own")).contains("tool_denied");
        assertThat(children("own")).isEmpty();
        machine.run("connect", "claude-code", "--undo");
        assertThat(settings).doesNotExist();
    }

    private static String agent(String description, String prompt) {
        var input =
                Map.of(
                        "description", description,
                        "prompt", prompt,
                        "subagent_type", "general-purpose");
        return "!call Agent " + Json.write(input);
    }

    private void byHand(Path project, String prompt) throws Exception {
        inBackground(project, prompt, "bypassPermissions").awaitGood();
    }

    private ByHand inBackground(Path project, String prompt, String mode) throws Exception {
        return byHand(project, List.of("-p", prompt, "--permission-mode", mode));
    }

    @Test
    @InSoak
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
        define(
                "spawner",
                Map.of("permission_mode", "default", "allowed_tools", List.of("mcp__coppice")));
        var out =
                run(
                        "mother",
                        "spawner",
                        """
                        !call mcp__coppice__start_agent_session %s
                        !say waiting
                        """
                                .formatted(callingBack("daughter")));
        assertThat(out).contains("waiting");
        awaitWoken("mother", "daughter");
        assertThat(machine.run("resume", "mother", "-p", deleting("daughter")))
                .contains("deleted it");
        assertThat(events("mother", "permission_request")).isEmpty();
        assertThat(events("mother", "post_tool").getLast().toString()).contains("deletion_summary");
        assertIsRemoved("daughter");
    }

    @Test
    @InSoak
    void the_page_is_right_as_it_is_written() throws IOException {
        assertThat(page("docs/how-to/claude-code.md", "claude"))
                .contains("heard: Start two agents");
        machine.run("rm", "plan", "--yes");
        machine.run("blueprints", "rm", "claude", "--yes");
        assertThat(page("README.md", "claude")).contains("heard: Start two agents");
    }

    @Test
    @InSoak
    void a_conversation_that_is_gone_is_begun_anew_and_the_events_say_so() {
        run("gone", "worker", "!say first");
        change("gone", "00000000-0000-4000-8000-000000000000");
        assertThat(machine.run("resume", "gone", "-p", "!say second")).contains("second");
        assertThat(events("gone", "conversation_lost").toString())
                .contains("00000000-0000-4000-8000-000000000000");
        // An id that begins with a dash would be an option of the program.
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
    @InSoak
    void a_kill_leaves_no_process_and_the_conversation_goes_on() {
        begin(
                "killed",
                "worker",
                "!call Bash {\"command\": \"echo killed; sleep 300\"}\n!say never");
        awaitEvent("killed", "pre_tool");
        // The program writes down its conversation a moment after it has told of it.
        Eventually.await(
                () -> isWritten("echo killed; sleep 300"), () -> "the conversation is not written");
        var drivers = machine.carrying("AGENT_SESSION_NAME=killed");
        assertThat(drivers).isNotEmpty();
        drivers.forEach(ProcessHandle::destroyForcibly);
        machine.awaitState("killed", "failed");
        assertThat(machine.carrying("AGENT_SESSION_NAME=killed")).isEmpty();
        assertThat(machine.run("resume", "killed", "-p", "!say back again")).contains("back again");
        assertThat(model.heard().getLast()).contains("sleep 300");
    }

    private boolean isWritten(String text) {
        try (var files = Files.walk(home.resolve(".claude/projects"))) {
            for (var file : files.filter(f -> f.toString().endsWith(".jsonl")).toList()) {
                if (Files.readString(file).contains(text)) return true;
            }
            return false;
        } catch (IOException | UncheckedIOException _) {
            return false;
        }
    }

    @Test
    @InSoak
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
