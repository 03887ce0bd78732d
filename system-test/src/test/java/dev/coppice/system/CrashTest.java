package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;

/** Kills the coordinator, the runner or both while a tree runs. */
class CrashTest {
    private static final String TREE =
            """
            spawn c1
              spawn c2
                await-file
              wait all
            wait all
            say all done
            """;

    /** The agents continue, and the runner repeats the reports that it could not deliver. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void a_coordinator_killed_in_the_middle_of_a_tree_loses_nothing() throws Exception {
        try (var machine = new Machine()) {
            var up = machine.up("--no-runner");
            int port = machine.port();
            machine.start("runner");
            machine.post(
                    "/agents", "{\"name\":\"sh\",\"kind\":\"command\",\"command\":[\"bash\"]}");
            var go = machine.data().resolve("go");
            var leaf = Machine.awaiting(go) + "echo leaf";
            var tree = TREE.replace("spawn c2\n    await-file", "spawn c2 agent=sh\n    " + leaf);
            machine.run("start", "c0", "--mode", "async_poll", "-p", tree);
            machine.awaitState("c2", "running");
            long before = machine.get("/sessions").get("sessions").size();
            up.kill();
            Files.createFile(go);
            Eventually.await(
                    () -> machine.carrying("AGENT_SESSION_NAME=c2").isEmpty(),
                    () -> "the leaf does not end while the coordinator is down");
            machine.up("--no-runner", "--port", Integer.toString(port));
            machine.awaitState("c2", "finished");
            machine.awaitState("c1", "finished");
            machine.awaitState("c0", "finished");
            assertThat(machine.get("/sessions").get("sessions").size()).isEqualTo(before);
            assertThat(machine.run("result", "c0")).contains("all done");
        }
    }

    /** Defect 3 of the original: a crash loses the callbacks owed to a busy parent. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void a_callback_owed_to_a_busy_parent_survives_the_coordinator() throws Exception {
        try (var machine = new Machine()) {
            var up = machine.up("--no-runner");
            int port = machine.port();
            machine.start("runner");
            machine.post(
                    "/agents", "{\"name\":\"sh\",\"kind\":\"command\",\"command\":[\"bash\"]}");
            var go = machine.data().resolve("go");
            var busy = Machine.awaiting(go) + "echo free";
            machine.run("start", "busy", "--agent", "sh", "--mode", "async_poll", "-p", busy);
            var child = List.of("start", "done", "--parent", "busy", "--mode", "async_callback");
            machine.run(
                    Stream.concat(child.stream(), Stream.of("-p", "result it is 42"))
                            .toArray(String[]::new));
            machine.awaitState("done", "finished");
            assertThat(machine.run("callbacks")).contains("owed");
            up.kill();
            machine.up("--no-runner", "--port", Integer.toString(port));
            assertThat(machine.run("callbacks")).contains("owed");
            Files.createFile(go);
            Eventually.await(
                    () -> machine.run("events", "busy", "--all").contains("callback_carried"),
                    () -> machine.run("callbacks"));
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void the_runs_of_a_killed_runner_are_lost_and_their_sessions_show_it() {
        try (var machine = new Machine(Machine.SHORT_LEASE)) {
            machine.up("--no-runner");
            var runner = machine.start("runner");
            machine.run("start", "orphan", "--mode", "async_poll", "-p", "hang");
            machine.awaitState("orphan", "running");
            runner.kill();
            machine.nobodyLooks();
            machine.awaitState("orphan", "lost");
            assertThat(machine.run("tree", "orphan")).contains("lost", "Runner disconnected");
        }
    }

    /** The restarted runner adopts live runs and reports those that ended in the meantime. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void a_restarted_runner_adopts_or_reports_every_run() throws Exception {
        try (var machine = new Machine()) {
            machine.up("--no-runner");
            machine.post(
                    "/agents", "{\"name\":\"sh\",\"kind\":\"command\",\"command\":[\"bash\"]}");
            var runner = machine.start("runner");
            var go = machine.data().resolve("go");
            var script = Machine.awaiting(go) + "echo done";
            machine.run("start", "ends", "--agent", "sh", "--mode", "async_poll", "-p", script);
            machine.run("start", "stays", "--mode", "async_poll", "-p", "hang");
            machine.awaitState("ends", "running");
            Eventually.await(
                    () -> machine.run("events", "stays", "--all").contains("run_start"),
                    () -> "the agent does not start");
            runner.kill();
            Files.createFile(go);
            Eventually.await(
                    () -> machine.carrying("AGENT_SESSION_NAME=ends").isEmpty(),
                    () -> "the agent does not end while no runner runs");
            assertThat(machine.carrying("AGENT_SESSION_NAME=stays")).isNotEmpty();
            var again = machine.start("runner");
            machine.awaitState("ends", "finished");
            assertThat(machine.run("result", "ends")).contains("done");
            Eventually.await(
                    () -> again.text().contains("took back") && again.text().contains("has ended"),
                    again::text);
            assertThat(machine.state("stays")).isEqualTo("running");
            machine.run("stop", "stays");
            machine.awaitState("stays", "stopped");
            assertThat(machine.carrying("AGENT_SESSION_NAME=stays")).isEmpty();
            assertThat(machine.run("start", "next", "-p", "say new work")).contains("new work");
        }
    }

    /** No other runner may get the run while its agent still works here. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void a_runner_that_resumes_after_a_long_pause_finishes_no_run_and_ends_its_agents() {
        try (var machine = new Machine(Machine.SHORT_LEASE)) {
            machine.up("--no-runner");
            var runner = machine.start("runner");
            machine.run("start", "paused", "--mode", "async_poll", "-p", "hang");
            Eventually.await(
                    () -> !machine.carrying("AGENT_SESSION_NAME=paused").isEmpty(),
                    () -> "the agent does not start");
            signal(runner, "STOP");
            machine.awaitState("paused", "lost");
            signal(runner, "CONT");
            Eventually.await(
                    () -> machine.carrying("AGENT_SESSION_NAME=paused").isEmpty(),
                    () -> "the process of the agent still runs");
            assertThat(machine.state("paused")).isEqualTo("lost");
            assertThat(machine.run("start", "next", "-p", "say new work")).contains("new work");
        }
    }

    private static void signal(Machine.Program program, String signal) {
        try {
            var line = List.of("kill", "-" + signal, Long.toString(program.process().pid()));
            assertThat(new ProcessBuilder(line).start().waitFor()).isZero();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void a_restart_after_coordinator_and_runner_die_together_continues_the_runs() {
        try (var machine = new Machine()) {
            var up = machine.up();
            machine.run(
                    "start", "both", "--mode", "async_poll", "-p", "say begun\nsleep 6s\nsay done");
            Eventually.await(
                    () -> machine.run("events", "both").contains("begun"),
                    () -> machine.run("events", "both"));
            int port = machine.port();
            up.kill();
            machine.up("--port", Integer.toString(port));
            machine.awaitState("both", "finished");
            assertThat(machine.run("result", "both")).contains("begun", "done");
            assertThat(machine.carrying("AGENT_SESSION_NAME=both")).isEmpty();
        }
    }
}
