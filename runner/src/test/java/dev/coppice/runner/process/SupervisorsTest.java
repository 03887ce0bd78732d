package dev.coppice.runner.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.scene.Eventually;
import dev.coppice.wire.fleet.ClaimedRun;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Supervisors that wait for their order, which a runner takes or leaves. */
class SupervisorsTest {
    @TempDir Path directory;
    private Machine machine;

    @BeforeEach
    void start() {
        machine = Machine.here(directory, "auto");
        Assumptions.assumeTrue(machine.supervisor().adopts(), "needs Perl on Linux");
    }

    @AfterEach
    void close() {
        machine.close();
        assertThat(supervisors()).isEmpty();
    }

    private List<ProcessHandle> supervisors() {
        return ProcessHandle.allProcesses()
                .filter(p -> p.info().commandLine().orElse("").contains(directory + "/supervise"))
                .toList();
    }

    private Supervisor.Order order(List<String> command, Map<String, String> environment) {
        return new Supervisor.Order(
                "run_1", command, directory, environment, null, ClaimedRun.Share.ENDLESS);
    }

    private Path own() throws IOException {
        var own = Files.createDirectories(directory.resolve("run_1"));
        Files.writeString(own.resolve("stdin"), "");
        return own;
    }

    @Test
    void some_wait_and_are_replaced_when_they_are_taken() throws Exception {
        machine.expectAgents();
        Eventually.await(() -> supervisors().size() >= 8, () -> supervisors().toString());
        var order = order(List.of("/bin/true"), Map.of());
        for (int i = 0; i < 8; i++) {
            var agent = Supervised.start(order, own(), machine);
            assertThat(agent.await()).isZero();
            agent.cleanUp();
        }
        Eventually.await(() -> supervisors().size() >= 8, () -> supervisors().toString());
    }

    @Test
    void the_agent_gets_its_words_and_environment_exactly() throws Exception {
        var text = "two\nlines, 'quotes' \"and\" \\, $HOME, ümläut 🌱";
        var command = List.of("/bin/sh", "-c", "printf '%s|' \"$@\"; env", "sh", "", text);
        var agent = Supervised.start(order(command, Map.of("A", text, "E", "")), own(), machine);
        assertThat(agent.await()).isZero();
        agent.cleanUp();
        var printed = Files.readString(agent.stdout());
        assertThat(printed).startsWith("|" + text + "|");
        assertThat(printed).contains("A=" + text + "\n", "E=\n");
        var names =
                printed.substring(text.length() + 2)
                        .lines()
                        .filter(l -> l.matches("\\w+=.*"))
                        .map(l -> l.split("=", 2)[0]);
        // The shell adds its own.
        assertThat(names).contains("A", "E").isSubsetOf("A", "E", "PWD", "OLDPWD", "SHLVL", "_");
    }

    @Test
    void an_order_that_breaks_off_starts_nothing() throws Exception {
        var waiting = machine.supervisors().take();
        try (var orders = waiting.process().getOutputStream()) {
            orders.write("0000000900/tmp\0".getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(waiting.process().waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(supervisors()).isEmpty();
        assertThat(machine.containment().leftBehind()).isEmpty();
    }

    @Test
    void one_whose_agent_was_killed_while_it_waited_ends_and_is_not_used() throws Exception {
        machine.expectAgents();
        Eventually.await(() -> supervisors().size() >= 8, () -> supervisors().toString());
        var parents =
                supervisors().stream().filter(p -> p.children().findAny().isPresent()).toList();
        parents.forEach(p -> p.children().forEach(ProcessHandle::destroyForcibly));
        Eventually.await(
                () -> parents.stream().noneMatch(ProcessHandle::isAlive), parents::toString);
        var agent = Supervised.start(order(List.of("/bin/true"), Map.of()), own(), machine);
        assertThat(agent.await()).isZero();
        agent.cleanUp();
    }

    /** Its pipe holds less than the order, so that it would be waited for without end. */
    @Test
    void suspended_ones_take_a_long_order() throws Exception {
        machine.expectAgents();
        Eventually.await(() -> supervisors().size() >= 8, () -> supervisors().toString());
        supervisors().stream()
                .filter(p -> p.children().findAny().isPresent())
                .forEach(p -> Native.signal(p.pid(), Native.SIGSTOP));
        var words = List.of("/bin/true", "x".repeat(100_000), "y".repeat(100_000));
        var agent = Supervised.start(order(words, Map.of()), own(), machine);
        assertThat(agent.await()).isZero();
        agent.cleanUp();
    }

    /** An agent may write what it likes into the directory of its run. */
    @Test
    void a_damaged_record_names_no_group_elsewhere() throws Exception {
        var own = own();
        for (var damaged : List.of("", "{", "[]", "{\"group\":\"../x\"}", "{\"group\":\"\"}")) {
            Files.writeString(own.resolve("process.json"), damaged);
            assertThat(Supervised.groupOf("run_1", own)).as(damaged).isEqualTo("run_1");
            assertThat(Supervised.found("run_1", own, machine)).as(damaged).isEmpty();
        }
        Files.writeString(own.resolve("process.json"), "{}");
        Files.createDirectory(own.resolve("supervisor"));
        assertThat(Supervised.found("run_1", own, machine)).isEmpty();
    }

    @Test
    void the_directory_and_the_program_are_named_if_they_fail() throws Exception {
        var command = List.of("/bin/true");
        var nowhere = directory.resolve("nowhere");
        var order =
                new Supervisor.Order(
                        "run_1", command, nowhere, Map.of(), null, ClaimedRun.Share.ENDLESS);
        var agent = Supervised.start(order, own(), machine);
        assertThat(agent.await()).isEqualTo(126);
        agent.cleanUp();
        assertThat(Files.readString(agent.stderr()))
                .isEqualTo("cannot enter " + nowhere + ": No such file or directory\n");
        var missing = Supervised.start(order(List.of("/no/program"), Map.of()), own(), machine);
        assertThat(missing.await()).isEqualTo(127);
        missing.cleanUp();
        assertThat(Files.readString(missing.stderr()))
                .isEqualTo("/no/program: No such file or directory\n");
    }

    @Test
    void the_character_nul_is_refused() {
        assertThatThrownBy(() -> order(List.of("a\0b"), Map.of()))
                .hasMessage("a word of the command contains the character NUL");
        assertThatThrownBy(() -> order(List.of("a"), Map.of("N", "\0")))
                .hasMessage("the variable N contains the character NUL");
    }
}
