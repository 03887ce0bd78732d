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
}
