package dev.coppice.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Processes that the runner's own programs start end with the work they were started for. */
class OwnProcessesTest {
    @TempDir Path directory;

    @Test
    void leftover_process_is_ended_even_with_a_cleared_environment() {
        Assumptions.assumeTrue(ProcessTable.isPossible());
        var machine = Machine.here(directory, "lineage");
        for (var clearing : List.of("", "env -i ")) {
            var left =
                    OwnProcesses.within(
                            "task-1",
                            machine,
                            () -> printed(clearing + "setsid sleep 1000 >/dev/null & echo $!"));
            assertThat(ProcessHandle.of(left).filter(ProcessHandle::isAlive).map(p -> !dead(p)))
                    .isNotEqualTo(java.util.Optional.of(true));
        }
    }

    /** Its limit has no sign: a count threw at it, and no stop or removal ended anything. */
    @Test
    void a_process_with_the_largest_file_limit_hides_no_other() throws IOException {
        Assumptions.assumeTrue(ProcessTable.isPossible());
        var machine = Machine.here(directory, "lineage");
        var limit = "ulimit -f 9007199254740992 && exec sleep 1000";
        var process = new ProcessBuilder("bash", "-c", limit).start();
        try {
            Eventually.await(
                    () -> {
                        var found = machine.processTable().now().processes().get(process.pid());
                        return found != null && found.fileSize() == Long.MAX_VALUE;
                    },
                    () -> "seen: " + machine.processTable().now().processes().get(process.pid()));
        } finally {
            process.destroyForcibly();
        }
    }

    private static boolean dead(ProcessHandle process) {
        return ProcessInfo.isDead(process.pid());
    }

    private static long printed(String script) {
        try {
            var process = started(script);
            var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return Long.parseLong(text.strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static ProcessBuilder shell(String script) {
        return new ProcessBuilder("sh", "-c", script);
    }

    /** If a count reaped it as an orphan, the JDK would report exit code 0 instead of its own. */
    @Test
    void a_count_does_not_reap_a_program_that_the_jdk_waits_for() {
        var machine = Machine.here(directory, "lineage");
        OwnProcesses.within(
                "task-2",
                machine,
                () -> {
                    var process = started("exit 3");
                    assertThat(machine.processTable().isStartedHere(process.pid())).isTrue();
                    return process;
                });
    }

    private static Process started(String script) {
        try {
            return OwnProcesses.start(shell(script));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Two coordinators on one machine both have a task 1. */
    @Test
    void work_of_the_same_name_ends_only_its_own_programs() {
        Assumptions.assumeTrue(ProcessTable.isPossible());
        var machine = Machine.here(directory, "lineage");
        var other =
                OwnProcesses.within(
                        "task-1",
                        machine,
                        () -> {
                            var process = started("read line; exit 3");
                            OwnProcesses.within("task-1", machine, () -> "nothing");
                            endInput(process);
                            return code(process);
                        });
        assertThat(other).isEqualTo(3);
    }

    private static void endInput(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int code(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void program_outside_a_guard_is_unmarked() throws IOException {
        var program = shell("true");
        OwnProcesses.start(program);
        assertThat(program.command()).containsExactly("sh", "-c", "true");
        assertThat(program.environment()).doesNotContainKey(Mark.RUN);
    }
}
