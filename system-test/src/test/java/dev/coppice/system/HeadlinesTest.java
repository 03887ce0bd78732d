package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What sessions do, ask and end with, as the commands tell it in a line. */
class HeadlinesTest {
    private static final Map<String, String> TERMINAL =
            Map.of("COPPICE_TERMINAL", "012", "LINES", "24", "COLUMNS", "100");

    private final Machine machine = new Machine();

    @BeforeEach
    void up() {
        machine.up();
        machine.run("blueprints", "add", "sh", "sh");
    }

    @AfterEach
    void down() {
        machine.close();
    }

    private Path gate(String name) {
        return machine.data().resolve("gate-" + name);
    }

    private void starts(String name, String script, String... more) {
        var line = new ArrayList<>(List.of("start", name, "--agent", "sh", "--mode", "async_poll"));
        line.addAll(List.of("-p", script));
        line.addAll(List.of(more));
        machine.run(line.toArray(String[]::new));
        machine.awaitState(name, "running");
    }

    private String ask(String name) {
        var id = Json.text(machine.get("/sessions/by-name/" + name).get("session"), "session_id");
        machine.post(
                "/sessions/" + id + "/events",
                """
                {"event_type":"permission_request","tool_name":"Bash",
                 "tool_input":{"command":"git push"}}
                """);
        return String.valueOf(id);
    }

    @Test
    void a_question_below_is_told_by_each_command_until_it_fails() throws IOException {
        starts("boss", "echo step 1 of 9; " + Machine.awaiting(gate("boss")));
        starts("pusher", Machine.awaiting(gate("pusher")) + "exit 3", "--parent", "boss");
        // The runner tells with its samples what was printed.
        Eventually.await(
                () -> machine.run("tree", "boss").contains("step 1 of 9"),
                () -> machine.run("tree", "boss"));
        var waits = machine.startWith(TERMINAL, "wait", "boss");
        ask("pusher");
        assertThat(machine.run("tree", "boss"))
                .contains("? asking", "asks: May it use Bash? git push", "1 asking below");
        assertThat(machine.run("list", "--state", "asking", "-q")).isEqualTo("pusher\n");
        assertThat(machine.run("list", "--tree", "boss", "--sort", "name", "-q"))
                .isEqualTo("boss\npusher\n");
        assertThat(
                        machine.run(
                                "list",
                                "--state",
                                "asking",
                                "-o",
                                "{headline.kind} {headline.text}"))
                .isEqualTo("asks May it use Bash? git push\n");
        assertThat(machine.run("top", "--once")).contains("? asking", "asks: May it use Bash?");
        Eventually.await(() -> waits.text().contains("coppice ask answer pusher"), waits::text);
        Files.createFile(gate("pusher"));
        machine.awaitState("pusher", "failed");
        Files.createFile(gate("boss"));
        assertThat(waits.awaitExit()).isZero();
        assertThat(machine.run("tree", "boss"))
                .contains("1 failed below", "Process exited with code 3");
        assertThat(machine.run("ps", "--state", "failed", "-o", "wide"))
                .contains("Process exited with code 3");
    }

    @Test
    void a_start_tells_what_is_asked_and_a_beginning_is_for_people() throws IOException {
        var script = Machine.awaiting(gate("pusher")) + "echo pushed";
        var start = machine.startWith(TERMINAL, "start", "pusher", "--agent", "sh", "-p", script);
        Eventually.await(() -> machine.run("list", "-q").contains("pusher"), start::text);
        machine.awaitState("pusher", "running");
        var id = ask("pusher");
        Eventually.await(() -> start.text().contains("coppice ask answer pusher"), start::text);
        Files.createFile(gate("pusher"));
        assertThat(start.awaitExit()).isZero();
        var shown = machine.startWith(TERMINAL, "show", "pus");
        assertThat(shown.awaitExit()).isZero();
        assertThat(shown.text()).contains(id);
        machine.run(5, "show", "pus");
        // The name is free now, and a start without one takes it from the prompt.
        machine.run("start", "pusher", "--agent", "sh", "-p", "true");
        assertThat(machine.run("show", "pusher~1")).contains(id);
        assertThat(machine.run("start", "--agent", "sh", "-p", "echo well done"))
                .contains("well done", "its name is echo-well-done");
    }

    @Test
    void what_failed_is_tried_again_in_its_place_with_its_name() {
        var script =
                """
                spawn first
                  fail broken pipe
                spawn second
                  spawn deep
                    fail no disk
                  wait all
                  fail its child failed
                wait all
                """;
        machine.run("start", "whole", "--agent", "scripted", "--budget", "runs=50", "-p", script);
        var again = machine.run("retry", "--failed-of", "whole");
        assertThat(again).contains("first is tried again as first", "second is tried again as");
        assertThat(again).doesNotContain("deep");
        machine.awaitState("second", "failed");
        machine.awaitState("first", "failed");
        var tree = machine.run("tree", "whole");
        assertThat(tree).contains("first~1", "second~1", "deep~1", "no disk");
        assertThat(machine.run("list", "--name", "deep", "-q")).contains("deep\n", "deep~1\n");
        // The former one has a continuation, and is not tried twice.
        assertThat(machine.run("retry", "--failed-of", "whole").lines()).hasSize(2);
        machine.awaitState("second", "failed");
        machine.awaitState("first", "failed");
        machine.run("retry", "whole");
        machine.awaitState("whole", "finished");
        assertThat(machine.run("budget", "whole")).contains("50");
        machine.run(
                "start", "long", "--agent", "scripted", "--mode", "async_poll", "-p", "sleep 600s");
        machine.run(3, "retry", "long");
        machine.run("stop", "long");
    }

    @Test
    void what_was_spent_is_told_by_tree_model_and_label() {
        machine.run("start", "cheap", "--agent", "sh", "--label", "team=web", "-p", "true");
        assertThat(machine.run("usage")).contains("today", "7 days", "$0.00");
        var use =
                """
                {"hook_event_name": "ModelUse", "session_id": "outside", "model": "%s",
                 "cwd": "/tmp", "message_id": "%s",
                 "usage": {"input_tokens": 1000000, "output_tokens": 10}}
                """;
        machine.post("/hooks/opencode", use.formatted("claude-opus-5-5", "m1"));
        machine.post("/hooks/opencode", use.formatted("nobody-knows", "m2"));
        var all = machine.run("usage", "--by", "model", "--plot");
        assertThat(all)
                .contains(
                        "MODEL",
                        "claude-opus-5-5",
                        "unknown",
                        "The price of nobody-knows is not known",
                        "█");
        assertThat(machine.run("usage", "--since", "1h", "--csv"))
                .startsWith("name,calls,tokens,output_tokens,cost_usd,unpriced_tokens\n")
                .contains(",2,2000020,20,");
        assertThat(machine.run("usage", "--by", "label=team")).contains("(none)");
    }
}
