package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.cli.engine.Exit;
import dev.coppice.scene.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What people can trust the command line to do, with real programs, pipes and interrupts. A test is
 * named for the line of the promise that it proves.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandLineTest {
    private static final Pattern STACK_TRACE = Pattern.compile("(?m)^\\s+at [\\w.$/]+\\(");
    private final Machine machine = new Machine();

    @BeforeAll
    void start() {
        machine.up();
        machine.run("blueprints", "add", "sh", "bash");
    }

    @AfterAll
    void stop() {
        machine.close();
    }

    private void start(String name, String script, String... more) {
        var line = new ArrayList<>(List.of("start", name, "--agent", "sh"));
        line.addAll(List.of("--mode", "async_poll", "-p", script));
        line.addAll(List.of(more));
        machine.run(line.toArray(String[]::new));
    }

    private Path gate(String name) {
        return machine.data().resolve(name);
    }

    /** A script that waits until the test opens its gate. */
    private String waits(String gate) {
        return Machine.awaiting(gate(gate));
    }

    private void open(String gate) throws IOException {
        Files.createFile(gate(gate));
    }

    @Test
    void line_1_start_shows_on_a_terminal_what_the_program_prints() throws IOException {
        var terminal = Map.of("COPPICE_TERMINAL", "012", "LINES", "24", "COLUMNS", "40");
        var script = "echo first; %sprintf 'last \\033[2J'".formatted(waits("watched"));
        var watched =
                machine.startWith(terminal, "start", "watched", "--agent", "sh", "-p", script);
        Eventually.await(() -> watched.text().contains("first\n"), watched::text);
        Eventually.await(() -> watched.text().contains("watched  1s"), watched::text);
        open("watched");
        assertThat(watched.awaitExit()).isZero();
        assertThat(watched.text())
                .containsOnlyOnce("first")
                .containsOnlyOnce("last \ufffd[2J\n")
                .doesNotContain("\u001b[2J");
        assertThat(watched.text().split("\r\u001b\\[K|\n", -1))
                .allMatch(line -> line.replaceAll("\u001b\\[\\d*m", "").length() < 40);

        var failed = "echo half >&2; exit 3";
        var program = machine.startWith(terminal, "start", "half", "--agent", "sh", "-p", failed);
        assertThat(program.awaitExit()).isEqualTo(Exit.FAILED.code());
        assertThat(program.text()).contains("half\n", "coppice: the run failed: half");
    }

    @Test
    void line_2_logs_show_the_output_of_an_ended_run() {
        machine.run(
                "start",
                "ended",
                "--agent",
                "sh",
                "-p",
                "printf 'one\\ntwo\\nthree'; echo bad >&2");
        assertThat(machine.run("logs", "ended")).contains("one\ntwo\nthree", "bad\n");
        assertThat(machine.run("logs", "ended", "--tail", "1"))
                .contains("three")
                .doesNotContain("two");
        assertThat(machine.run("logs", "ended", "--json"))
                .contains("\"stream\":\"stdout\"", "\"text\":\"one\\ntwo\\nthree\"");
        machine.run("resume", "ended", "-p", "echo again");
        assertThat(machine.run("logs", "ended")).isEqualTo("again\n");
        var runs = machine.run("runs", "ended").lines().toList();
        assertThat(runs).hasSize(3);
        assertThat(runs.get(1)).contains("resume", "finished");
        var first = runs.getLast().split(" ", 2)[0];
        assertThat(machine.run("logs", "ended", "--run", first)).contains("three");
    }

    @Test
    void line_2_logs_follow_a_running_program_until_it_ends() throws IOException {
        start("grows", "echo first; " + waits("grow") + "echo second");
        var follows = machine.start("logs", "grows", "-f");
        Eventually.await(() -> follows.text().contains("first"), follows::text);
        assertThat(machine.run("logs", "grows")).isEqualTo("first\n");
        open("grow");
        assertThat(follows.awaitExit()).isZero();
        assertThat(follows.text()).isEqualTo("first\nsecond\n");
    }

    @Test
    void line_2_logs_of_a_tree_have_the_name_before_each_line() throws IOException {
        var child = "echo below; " + waits("tree");
        start("over", "coppice start under --agent sh -p '%s'; echo over and out".formatted(child));
        machine.awaitState("under", "running");
        var follows = machine.start("logs", "over", "--tree", "-f");
        Eventually.await(() -> follows.text().contains("under │ below\n"), follows::text);
        open("tree");
        assertThat(follows.awaitExit()).isZero();
        assertThat(follows.text()).contains("over │ over and out\n");
        assertThat(machine.run("logs", "over", "--tree").lines())
                .allMatch(line -> line.startsWith("over │ ") || line.startsWith("under │ "));
    }

    @Test
    void line_2_a_wait_ends_with_the_last_session_or_with_the_first() throws IOException {
        start("quick", waits("quick") + "echo done");
        start("slow", waits("slow") + "exit 7");
        var all = machine.start("wait", "quick", "slow");
        var any = machine.start("wait", "quick", "slow", "--any");
        assertThat(machine.run(10, "wait", "slow", "--timeout", "10ms"))
                .contains("still at work: slow");
        open("quick");
        assertThat(any.awaitExit()).isZero();
        assertThat(any.text()).contains("quick").doesNotContain("slow");
        assertThat(all.process().isAlive()).isTrue();
        open("slow");
        assertThat(all.awaitExit()).isEqualTo(1);
        assertThat(all.text()).containsSubsequence("quick", "finished", "slow", "failed", "code 7");
        // Sessions that have ended already need no wait.
        assertThat(machine.run(1, "wait", "slow", "--timeout", "10ms")).contains("failed");
    }

    /**
     * A quiet tree writes nothing, so that only a look at the pipe shows that the reader is gone.
     */
    @Test
    void line_6_followers_end_when_the_reader_of_their_pipe_is_gone() throws Exception {
        start("piped", waits("piped"));
        for (var line :
                List.of(
                        List.of("events", "piped", "--follow", "--after", "0"),
                        List.of("logs", "piped", "-f"),
                        List.of("events", "--follow"))) {
            var pipe = gate("pipe-" + line.size() + line.getFirst());
            var command = String.join("' '", Product.command(line));
            // The reader opens the pipe, and closes it when the follower has it open too.
            var reads =
                    machine.begin(
                            List.of(
                                    "bash",
                                    "-c",
                                    "mkfifo %1$s; '%2$s' >%1$s & exec 3<%1$s; exec 3<&-; wait $!; echo ended"
                                            .formatted(pipe, command)));
            reads.awaitExit();
            assertThat(reads.text()).as(String.join(" ", line)).contains("ended");
        }
        open("piped");
    }

    @Test
    void line_2_bash_completes_commands_and_sessions() {
        machine.run("start", "completed-by-bash", "--agent", "sh", "-p", "true");
        var product = String.join("' '", Product.command(List.of()));
        var script =
                """
                coppice() { '%s' "$@"; }
                source <(coppice completion bash)
                complete_as() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _coppice; echo "${COMPREPLY[*]}"; }
                complete_as coppice sto
                complete_as coppice stop completed-by
                complete_as coppice stop x --al
                """
                        .formatted(product);
        var bash = machine.begin(List.of("bash", "-c", script));
        assertThat(bash.awaitExit()).as(bash.text()).isZero();
        assertThat(bash.text()).isEqualTo("stop\ncompleted-by-bash\n--alone\n");
    }

    @Test
    void line_7_every_exit_code_is_the_documented_one() throws IOException {
        machine.run("start", "good", "--agent", "sh", "-p", "true");
        start("bad", "exit 3");
        machine.run(1, "wait", "bad");
        var cases = new LinkedHashMap<List<String>, Exit>();
        cases.put(List.of("list"), Exit.OK);
        cases.put(List.of("start", "fails", "--agent", "sh", "-p", "exit 3"), Exit.FAILED);
        cases.put(List.of("nonsense"), Exit.USAGE);
        cases.put(List.of("start", "x", "--mode", "odd", "-p", "x"), Exit.USAGE);
        cases.put(List.of("budget", "good", "--tokens", "many"), Exit.USAGE);
        cases.put(List.of("events", "good", "--limit", "0"), Exit.USAGE);
        cases.put(List.of("budget", "good", "--cost", "-1"), Exit.USAGE);
        cases.put(List.of("logs", "good", "--tail", "0"), Exit.OK);
        cases.put(List.of("logs", "good", "--tail", "-1"), Exit.USAGE);
        cases.put(List.of("help", "help"), Exit.OK);
        cases.put(List.of("status", "nobody"), Exit.NOT_FOUND);
        cases.put(List.of("send", "bad", "hello"), Exit.REFUSED);
        cases.put(List.of("show", "nobody"), Exit.NOT_FOUND);
        cases.put(List.of("logs", "nobody"), Exit.NOT_FOUND);
        cases.put(List.of("wait", "good", "nobody"), Exit.NOT_FOUND);
        cases.put(List.of("stop", "nobody"), Exit.NOT_FOUND);
        cases.put(List.of("rm", "nobody", "--yes"), Exit.NOT_FOUND);
        cases.put(List.of("undo", "nobody"), Exit.NOT_FOUND);
        cases.put(List.of("blueprints", "show", "nobody"), Exit.NOT_FOUND);
        cases.put(List.of("removals", "rem_none"), Exit.NOT_FOUND);
        cases.put(List.of("start", "x", "--agent", "nobody", "-p", "x"), Exit.NOT_FOUND);
        cases.put(List.of("up", "--port", "99999"), Exit.CANNOT_START);
        cases.put(List.of("up", "--port", "0"), Exit.CANNOT_START);
        cases.put(List.of("up", "--port", "0", "--capacity", "none"), Exit.CANNOT_START);
        cases.put(List.of("backup", "verify", "/no/such/file"), Exit.NO_FILE);
        cases.put(List.of("restore", "/no/such/file"), Exit.NO_FILE);
        cases.put(List.of("blueprints", "add", "x", "--file", "/no/such/file"), Exit.NO_FILE);
        cases.put(List.of("import", "/no/such/file"), Exit.NO_FILE);
        for (var each : cases.entrySet()) ends(each.getKey(), Map.of(), each.getValue());
        for (var url :
                List.of(
                        "foo",
                        "foo://bar",
                        "http://",
                        "http://x y",
                        "127.0.0.1:1",
                        "http://h:99999")) {
            ends(List.of("list"), Map.of("COPPICE_URL", url), Exit.USAGE);
        }
        ends(List.of("list"), Map.of("COPPICE_URL", "http://127.0.0.1:1"), Exit.UNREACHABLE);
        ends(List.of("list"), Map.of("COPPICE_TOKEN", "wrong"), Exit.REFUSED);
    }

    private void ends(List<String> line, Map<String, String> more, Exit expected) {
        var program = machine.startWith(more, line.toArray(String[]::new));
        int exit = program.awaitExit();
        assertThat(exit).as("%s %s: %s", line, more, program.text()).isEqualTo(expected.code());
        assertThat(STACK_TRACE.matcher(program.text()).find()).as(program.text()).isFalse();
    }

    @Test
    void line_7_and_8_an_interrupted_start_says_that_the_session_goes_on() throws IOException {
        // The shell of a test run in the background ignores interrupts, and programs inherit that.
        var command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(
                Product.command(
                        List.of("start", "goes-on", "--agent", "sh", "-p", waits("goes-on"))));
        var program = machine.begin(command);
        machine.awaitState("goes-on", "running");
        new ProcessBuilder("kill", "-INT", Long.toString(program.process().pid())).start();
        assertThat(program.awaitExit()).isEqualTo(Exit.INTERRUPTED.code());
        assertThat(program.text())
                .contains("goes-on goes on", "coppice wait goes-on", "coppice stop goes-on");
        assertThat(machine.state("goes-on")).isEqualTo("running");
        open("goes-on");
        machine.run("wait", "goes-on");
    }

    @Test
    void line_8_a_missing_program_is_named_with_what_to_check() {
        machine.run("blueprints", "add", "ghost", "--", "no-such-program", "--flag");
        assertThat(machine.run(1, "start", "haunted", "--agent", "ghost", "-p", "x"))
                .contains("no-such-program: not found; is it installed and on the runner's PATH?");
        assertThat(machine.run("show", "haunted")).contains("no-such-program: not found");
    }

    @Test
    void line_3_a_blueprint_can_name_where_its_results_tell_the_usage() throws IOException {
        var document =
                """
                {"command": ["echo", "{\\"usage\\":{\\"in\\":900,\\"out\\":100},\\"cost\\":0.25}"],
                 "usage": {"input_tokens": "/usage/in", "output_tokens": "/usage/out",
                           "cost_usd": "/cost"}}
                """;
        var file = Files.writeString(machine.data().resolve("counted.json"), document);
        machine.run("blueprints", "add", "counted", "--file", file.toString());
        machine.run("start", "counted", "--agent", "counted", "-p", "x");
        assertThat(machine.run("usage", "counted")).containsPattern("itself +1000 +\\$?0.25");
        machine.run("start", "agent-tells", "--agent", "sh", "-p", "coppice usage --tokens 70");
        assertThat(machine.run("usage", "agent-tells")).containsPattern("itself +70 ");
    }
}
