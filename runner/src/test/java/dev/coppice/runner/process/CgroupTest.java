package dev.coppice.runner.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.fleet.ClaimedRun;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Checks the text written to a group's files and read from them. The files are in a plain
 * directory: the effect of the real ones depends on the machine, and {@code doctor} reports it.
 */
class CgroupTest {
    private static final ClaimedRun.Share SHARE = new ClaimedRun.Share(null, 30L, 5_000_000L);

    @TempDir private Path base;

    private Cgroup entered() throws IOException {
        var cgroup = new Cgroup(base);
        assertThat(cgroup.prepare("run_1").group()).isEqualTo(base.resolve("run_1"));
        return cgroup;
    }

    private String written(String file) throws IOException {
        return Files.readString(base.resolve("run_1").resolve(file));
    }

    private void kernel(String file, String text) throws IOException {
        Files.writeString(base.resolve("run_1").resolve(file), text);
    }

    @Test
    void limits_are_written_only_where_their_files_exist() throws IOException {
        var cgroup = entered();
        kernel("pids.max", "max");
        cgroup.limit("run_1", SHARE);
        assertThat(written("pids.max")).isEqualTo("30");
        assertThat(base.resolve("run_1/memory.max")).doesNotExist();
    }

    @Test
    void limit_that_was_reached_is_reported() throws IOException {
        var cgroup = entered();
        assertThat(cgroup.limitsReached("run_1")).isEmpty();
        kernel("pids.max", "30\n");
        kernel("pids.events", "max 0\n");
        kernel("memory.max", "5000000\n");
        kernel("memory.events", "low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\n");
        assertThat(cgroup.limitsReached("run_1")).containsExactly("memory_bytes = 5000000");
        kernel("pids.events", "max 3\n");
        assertThat(cgroup.limitsReached("run_1"))
                .containsExactly("processes = 30", "memory_bytes = 5000000");
    }

    /** Without the controllers a group holds processes together, and limits nothing. */
    @Test
    void promise_names_the_delegated_controllers() throws IOException {
        assertThat(new Cgroup(base).promise()).contains("no limit on processes and memory");
        Files.writeString(base.resolve("cgroup.subtree_control"), "pids\n");
        assertThat(new Cgroup(base).promise()).contains("with a limit on processes");
    }
}
