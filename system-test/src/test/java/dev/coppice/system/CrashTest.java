package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;

/** Either side is killed in the middle of a tree. */
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

    /** The agents go on, their runner tells again what it could not, and nothing is lost. */
    @Test
    void a_coordinator_killed_in_the_middle_of_a_tree_loses_nothing() throws Exception {
        try (var machine = new Machine()) {
            var up = machine.up("--no-runner");
            int port = machine.port();
            machine.start("runner");
            machine.post(
                    "/agents", "{\"name\":\"sh\",\"kind\":\"command\",\"command\":[\"bash\"]}");
            var go = machine.data().resolve("go");
            var leaf = "while [ ! -e %s ]; do sleep 0.05; done; echo leaf".formatted(go);
            var tree = TREE.replace("spawn c2\n    await-file", "spawn c2 agent=sh\n    " + leaf);
            machine.run("start", "c0", "--mode", "async_poll", "-p", tree);
            machine.awaitState("c2", "running");
            long before = machine.get("/sessions").get("sessions").size();
            up.kill();
            Files.createFile(go);
            Machine.await(
                    () -> machine.carrying("AGENT_SESSION_NAME=c2").isEmpty(),
                    () -> "the leaf should end by itself while nobody coordinates");
            machine.up("--no-runner", "--port", Integer.toString(port));
            machine.awaitState("c2", "finished");
            machine.awaitState("c1", "finished");
            machine.awaitState("c0", "finished");
            assertThat(machine.get("/sessions").get("sessions").size()).isEqualTo(before);
            assertThat(machine.run("result", "c0")).contains("all done");
        }
    }

    @Test
    void a_runner_that_is_killed_loses_its_runs_and_the_sessions_say_so() {
        try (var machine = new Machine()) {
            machine.up("--no-runner");
            var runner = machine.start("runner");
            machine.run("start", "orphan", "--mode", "async_poll", "-p", "hang");
            machine.awaitState("orphan", "running");
            runner.kill();
            machine.awaitState("orphan", "lost");
            assertThat(machine.run("tree", "orphan")).contains("lost", "Runner disconnected");
        }
    }

    /** Its next life ends what it left, and takes new work. */
    @Test
    void a_runner_started_again_cleans_up_after_itself() {
        try (var machine = new Machine()) {
            machine.up("--no-runner");
            var runner = machine.start("runner");
            machine.run("start", "left", "--mode", "async_poll", "-p", "hang");
            Machine.await(
                    () -> !machine.carrying("AGENT_SESSION_NAME=left").isEmpty(),
                    () -> "the agent does not start");
            runner.kill();
            assertThat(machine.carrying("AGENT_SESSION_NAME=left")).isNotEmpty();
            machine.start("runner");
            machine.awaitState("left", "lost");
            Machine.await(
                    () -> machine.carrying("AGENT_SESSION_NAME=left").isEmpty(),
                    () -> "its process is still there");
            assertThat(machine.run("start", "next", "-p", "say new work")).contains("new work");
        }
    }

    @Test
    void everything_killed_at_once_comes_up_again_and_goes_on() {
        try (var machine = new Machine()) {
            var up = machine.up();
            machine.run("start", "both", "--mode", "async_poll", "-p", "say begun\nhang");
            Machine.await(
                    () -> machine.run("events", "both").contains("begun"),
                    () -> machine.run("events", "both"));
            up.kill();
            machine.up();
            machine.awaitState("both", "lost");
            Machine.await(
                    () -> machine.carrying("AGENT_SESSION_NAME=both").isEmpty(),
                    () -> "its process is still there");
            assertThat(machine.run("resume", "both", "-p", "say again")).contains("again");
            assertThat(machine.run("events", "both")).contains("begun");
        }
    }
}
