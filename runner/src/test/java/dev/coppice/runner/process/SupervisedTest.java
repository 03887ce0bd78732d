package dev.coppice.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.wire.fleet.ClaimedRun;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Stops and freezes that come while the supervisor or the agent is starting a process. */
class SupervisedTest {
    private static final Duration GRACE = Duration.ofSeconds(5);
    @TempDir Path directory;

    /** Suspends the supervisor that waits, so that it does not start the agent yet. */
    private Supervised started(Machine machine, String run, List<String> command)
            throws IOException {
        machine.supervisors().keep();
        Eventually.await(() -> !waiting().isEmpty(), () -> "no supervisor waits");
        waiting().forEach(child -> Native.signal(child.pid(), Native.SIGSTOP));
        return Supervised.start(order(run, command), own(run), machine);
    }

    private Supervisor.Order order(String run, List<String> command) {
        var environment = Map.of("PATH", System.getenv("PATH"), Mark.RUN, run);
        return new Supervisor.Order(
                run, command, directory, environment, null, ClaimedRun.Share.ENDLESS);
    }

    private Path own(String run) throws IOException {
        var own = Files.createDirectory(directory.resolve(run));
        Files.createFile(own.resolve("stdin"));
        return own;
    }

    private List<ProcessHandle> waiting() {
        return ProcessHandle.current()
                .children()
                .filter(child ->
                        child.info().commandLine().orElse("").contains(directory + "/supervise.pl"))
                .toList();
    }

    @Test
    void an_agent_that_is_just_starting_is_stopped() throws Exception {
        Assumptions.assumeTrue(ProcessTable.isPossible());
        for (var kind : List.of("lineage", "auto")) {
            try (var machine = Machine.here(directory, kind)) {
                var run = "run_stop_" + kind;
                var agent = started(machine, run, List.of("sleep", "1000"));
                assertThat(agent.end(GRACE)).isNotEqualTo(RunProcesses.Ending.NOTHING_LEFT);
                assertThat(agent.await()).isNotZero();
                agent.cleanUp();
            }
            assertThat(waiting()).isEmpty();
        }
    }

    @Test
    void an_agent_that_is_just_starting_is_suspended() throws Exception {
        Assumptions.assumeTrue(ProcessTable.isPossible());
        try (var machine = Machine.here(directory, "lineage")) {
            var file = directory.resolve("went-on");
            var agent =
                    started(
                            machine,
                            "run_freeze",
                            List.of("sh", "-c", "sleep 0.3; echo yes >" + file + "; sleep 1000"));
            agent.freeze(() -> Containment.Freezing.FREEZE);
            assertThat(agent.members()).isNotEmpty();
            // A parent whose vfork waits for a stopped child is in the state D, and goes no
            // further.
            assertThat(agent.members())
                    .allSatisfy(member -> assertThat(state(member.pid())).isIn('T', 'D'));
            assertThat(file).doesNotExist();
            agent.freeze(() -> Containment.Freezing.THAW);
            agent.end(GRACE);
            agent.await();
            agent.cleanUp();
        }
        assertThat(waiting()).isEmpty();
    }

    /** The count of the processes is over when the agent starts one more and ends. */
    @Test
    void a_process_that_an_agent_starts_when_it_is_stopped_is_asked_to_end_too() throws Exception {
        Assumptions.assumeTrue(ProcessTable.isPossible());
        try (var machine = Machine.here(directory, "auto")) {
            var ready = directory.resolve("ready");
            var script = "trap 'sleep 1000 & exit' TERM; : >ready; while :; do sleep 0.1; done";
            var order = order("run_late", List.of("sh", "-c", script));
            var agent = Supervised.start(order, own("run_late"), machine);
            Eventually.await(() -> Files.exists(ready), () -> "the agent is not ready");
            assertThat(agent.end(Duration.ofMinutes(1))).isEqualTo(RunProcesses.Ending.SIGTERM);
            agent.await();
            agent.cleanUp();
        }
    }

    private static char state(long pid) throws IOException {
        var line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        return line.charAt(line.lastIndexOf(')') + 2);
    }
}
