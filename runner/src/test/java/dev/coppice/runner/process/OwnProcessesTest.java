package dev.coppice.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Processes that the runner's own programs start end with the work they were started for. */
class OwnProcessesTest {
    @TempDir Path directory;

    @Test
    void leftover_process_is_ended_even_with_a_cleared_environment() {
        Assumptions.assumeTrue(Census.isPossible());
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

    private static boolean dead(ProcessHandle process) {
        return Census.isDead(process.pid());
    }

    private static long printed(String script) {
        Map<String, String> environment = new HashMap<>(Map.of("PATH", System.getenv("PATH")));
        var command = OwnProcesses.marked(List.of("sh", "-c", script), environment);
        var builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            var process = builder.start();
            var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return Long.parseLong(text.strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void command_outside_a_guard_is_unchanged() {
        var environment = new HashMap<String, String>();
        assertThat(OwnProcesses.marked(List.of("git", "status"), environment))
                .containsExactly("git", "status");
        assertThat(environment).isEmpty();
    }
}
