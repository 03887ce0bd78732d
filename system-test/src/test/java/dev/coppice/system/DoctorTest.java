package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;

/** The doctor finds inconsistencies, and repairs those that are safe to repair. */
class DoctorTest {
    @Test
    void a_process_without_a_live_run_is_found_and_ended_and_others_are_left_alone()
            throws IOException {
        try (var machine = new Machine()) {
            var up = machine.up("--listen", "127.0.0.1:0", "--listen-plain");
            assertThat(up.text()).contains("is WITHOUT TLS");
            assertThat(machine.run("doctor"))
                    .contains("containment", "each belongs to a live run", "has no TLS");
            machine.run("start", "works", "--mode", "async_poll", "-p", "hang");
            machine.awaitState("works", "running");
            var ended =
                    machine.post(
                            "/runs?wait=60s", "{\"session_name\":\"over\",\"prompt\":\"say x\"}");
            var stray = new ProcessBuilder("sleep", "600");
            stray.environment().put("COPPICE_URL", machine.read("url"));
            stray.environment().put("COPPICE_RUN_ID", String.valueOf(Json.text(ended, "run_id")));
            var foreign = new ProcessBuilder("sleep", "600");
            foreign.environment().put("COPPICE_URL", "http://127.0.0.1:1");
            foreign.environment().put("COPPICE_RUN_ID", "run_of_another");
            var started = List.of(stray.start(), foreign.start());
            try {
                assertThat(machine.run(11, "doctor"))
                        .contains(String.valueOf(started.getFirst().pid()), "--fix");
                assertThat(machine.run("doctor", "--fix")).contains("ended by SIGTERM");
                assertThat(started.getFirst().isAlive()).isFalse();
                assertThat(started.getLast().isAlive()).isTrue();
                assertThat(machine.run("doctor")).contains("each belongs to a live run");
                assertThat(machine.state("works")).isEqualTo("running");
            } finally {
                started.forEach(Process::destroyForcibly);
            }
            up.kill();
            assertThat(machine.run(11, "doctor")).contains("no coordinator answers");
        }
    }

    @Test
    void a_stale_git_lock_is_removed_only_in_directories_made_by_coppice() throws IOException {
        try (var machine = new Machine()) {
            machine.up();
            machine.post("/runs?wait=60s", "{\"session_name\":\"ours\",\"prompt\":\"say x\"}");
            var own = Files.createDirectories(machine.data().resolve("own"));
            machine.run("start", "users", "--project-dir", own.toString(), "-p", "say x");
            machine.post("/runs", "{\"session_name\":\"busy\",\"prompt\":\"hang\"}");
            machine.awaitAtWork("busy");
            var locks =
                    List.of(
                            lock(
                                    machine.data()
                                            .resolve("runner/work")
                                            .resolve(id(machine, "ours"))),
                            lock(own),
                            lock(
                                    machine.data()
                                            .resolve("runner/work")
                                            .resolve(id(machine, "busy"))));
            assertThat(machine.run(11, "doctor"))
                    .contains(locks.get(0) + " exists", locks.get(1) + " exists", "--fix")
                    .doesNotContain(locks.get(2).toString());
            assertThat(machine.run(11, "doctor", "--fix")).contains(locks.get(0) + " was left");
            assertThat(locks.get(0)).doesNotExist();
            assertThat(locks.get(1)).exists();
            assertThat(locks.get(2)).exists();
        }
    }

    /** The runner is suspended, so it cannot report that agent and supervisor were killed. */
    @Test
    void a_running_run_without_a_process_is_found_and_stopped() throws Exception {
        try (var machine = new Machine(Map.of("COPPICE_LEASE", "60s"))) {
            machine.up("--no-runner");
            var runner = machine.start("runner");
            machine.run("start", "bare", "--mode", "async_poll", "-p", "hang");
            machine.awaitAtWork("bare");
            var pid = Long.toString(runner.process().pid());
            assertThat(new ProcessBuilder("kill", "-STOP", pid).start().waitFor()).isZero();
            try {
                assertThat(machine.run("doctor")).doesNotContain("no process here");
                machine.carrying("AGENT_SESSION_NAME=bare").forEach(ProcessHandle::destroyForcibly);
                assertThat(machine.run(11, "doctor"))
                        .contains("of bare is live but has no process here; --fix stops it");
                assertThat(machine.run("doctor", "--fix")).contains("; stopping it");
                assertThat(machine.state("bare")).isEqualTo("stopping");
            } finally {
                new ProcessBuilder("kill", "-CONT", pid).start().waitFor();
            }
            Eventually.await(
                    () -> !machine.state("bare").equals("stopping"), () -> machine.state("bare"));
        }
    }

    private static Path lock(Path directory) throws IOException {
        var git = Files.createDirectories(directory.resolve(".git"));
        var lock = Files.writeString(git.resolve("index.lock"), "");
        Files.setLastModifiedTime(lock, FileTime.fromMillis(0));
        return lock;
    }

    private static String id(Machine machine, String name) {
        return String.valueOf(
                Json.text(machine.get("/sessions/by-name/" + name).get("session"), "session_id"));
    }
}
