package dev.coppice.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.scene.InSoak;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Codex itself as the agent of sessions, with a scripted model. */
class CodexScenes extends SteerableScenes {
    CodexScenes() {
        super("codex");
    }

    @Override
    String call(String shell) {
        return "!call exec_command " + Json.write(Map.of("cmd", shell));
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
    @InSoak
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

    @Test
    void an_agent_starts_a_child_is_woken_by_it_and_deletes_it() {
        var call = "!call mcp__coppice::start_agent_session " + callingBack("daughter");
        assertThat(run("mother", "worker", call + "\n!say waiting")).contains("waiting");
        awaitWoken("mother", "daughter");
        var delete = deleting("daughter").replace("coppice__", "coppice::");
        assertThat(machine.run("resume", "mother", "-p", delete)).contains("deleted it");
        assertIsRemoved("daughter");
    }

    /** The protocol "exec" serves versions of Codex that have no app-server. */
    @Test
    @InSoak
    void codex_exec_runs_and_resumes() {
        define("exec", Map.of("protocol", "exec", "permission_mode", "never"));
        assertThat(run("executed", "exec", "the word is egret\n!say first")).contains("first");
        assertThat(machine.run("resume", "executed", "-p", "again\n!say second"))
                .contains("second");
        assertThat(model.heard().getLast()).contains("the word is egret", "again");
    }

    /** An agent below has the prompt of the one above in its history, and goes on from there. */
    @Test
    @InSoak
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

    /** Codex is connected, started by a person, and stands in a tree with its nested subagents. */
    @Test
    void a_session_that_a_person_starts_stands_in_a_tree() throws Exception {
        var hooks = home.resolve(".codex").resolve("hooks.json");
        var before = "{ \"hooks\":{} }";
        Files.writeString(hooks, before);
        assertThat(machine.run("connect", "codex")).contains("+", "/hooks/codex", "trust");
        var deep = spawn("deeper\n!spend 7 1\n!say deep done");
        var look = spawn("look around\n" + deep + call("sleep 1") + "\n!say done");
        byHandIn("shop", look + AT_WORK).awaitGood();
        var below = below("shop");
        assertThat(Json.text(observed("shop"), "state")).isEqualTo("finished");
        assertThat(below).hasSize(2);
        assertThat(Json.text(below.get(1), "parent_session_id")).isEqualTo(id(below.get(0)));
        for (var one : below) {
            assertThat(Json.text(one, "state")).isEqualTo("finished");
            assertThat(relations(one)).contains("\"evidence\":\"tool_response\"");
        }
        Eventually.await(
                () -> machine.run("usage", id(below.get(1))).contains("itself  8"),
                () -> machine.run("usage", id(below.get(1))));
        machine.run("connect", "codex", "--undo");
        assertThat(Files.readString(hooks)).isEqualTo(before);
    }

    /** Only the transcript of such an agent says which one is above it. */
    @Test
    @InSoak
    void agents_of_the_second_kind_have_an_exact_place() throws Exception {
        machine.run("connect", "codex");
        var input = Map.of("task_name", "look", "message", "look\n!say done", "fork_turns", "none");
        var spawn = "!call collaboration::spawn_agent " + Json.write(input);
        byHandIn("second", spawn + AT_WORK, "--enable", "multi_agent_v2").awaitGood();
        var child = below("second").get(0);
        assertThat(Json.text(child, "state")).isEqualTo("finished");
        Eventually.await(
                () -> relations(child).contains("\"evidence\":\"declared\""),
                () -> relations(child));
        machine.run("connect", "codex", "--undo");
    }

    @Test
    @InSoak
    void subagents_obey_the_tree() throws Exception {
        machine.run("connect", "codex");
        assertSubagentsObey((directory, command) ->
                byHandIn(directory, call(command) + "\n" + spawn("!say no") + AT_WORK));
        machine.run("connect", "codex", "--undo");
    }

    private static final String AT_WORK = "\n!call exec_command {\"cmd\": \"sleep 3\"}\n!say done";

    private static String spawn(String task) {
        return "!call tool_search {\"query\": \"spawn agent\"}\n!call multi_agent_v1::spawn_agent "
                + Json.write(Map.of("message", task))
                + "\n";
    }

    private ByHand byHandIn(String directory, String prompt, String... options) throws IOException {
        var project = Files.createDirectories(home.resolve(directory));
        // A person trusts new hooks in the program itself; the second option stands for that.
        var words =
                new ArrayList<>(
                        List.of(
                                "exec",
                                "--skip-git-repo-check",
                                "--dangerously-bypass-hook-trust",
                                "--dangerously-bypass-approvals-and-sandbox",
                                "-c",
                                "agents.max_depth=3"));
        words.addAll(List.of(options));
        words.add(prompt);
        return byHand(project, words);
    }

    @Test
    @InSoak
    void the_page_is_right_as_it_is_written() throws IOException {
        assertThat(page("docs/how-to/codex.md", "codex")).contains("heard: Say which files");
    }
}
