package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Stops and freezes trees of real processes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StopTest {
    private final Machine machine = new Machine();

    @BeforeAll
    void start() {
        machine.up();
    }

    @AfterAll
    void stop() {
        machine.close();
    }

    private void three(String top) {
        var script =
                """
                spawn %1$s-mid
                  spawn %1$s-leaf
                    hang
                  hang
                hang
                """
                        .formatted(top);
        machine.run("start", top, "--mode", "async_poll", "-p", script);
        machine.awaitState(top + "-leaf", "running");
    }

    @Test
    void a_whole_tree_is_stopped_by_one_command_and_no_process_is_left() {
        three("all");
        assertThat(machine.run(2, "stop", "all")).contains("2 live sessions below it", "--tree");
        var output = machine.run("stop", "all", "--tree", "--reason", "enough");
        assertThat(output).contains("all ", "all-mid ", "all-leaf ", "stopped");
        for (var name : new String[] {"all", "all-mid", "all-leaf"}) {
            assertThat(machine.state(name)).isEqualTo("stopped");
            assertThat(machine.carrying("AGENT_SESSION_NAME=" + name)).isEmpty();
        }
    }

    @Test
    void a_second_stop_joins_the_first_and_its_outcome_can_be_read_later() {
        three("twice");
        var id = Json.text(machine.get("/sessions/by-name/twice").get("session"), "session_id");
        var path = "/sessions/" + id + "/stop";
        var first = machine.post(path, "{\"scope\":\"tree\",\"deadline\":\"5s\"}");
        var second = machine.post(path + "?wait=30s", "{\"scope\":\"tree\"}");
        assertThat(Json.text(second, "stop_id")).isEqualTo(Json.text(first, "stop_id"));
        assertThat(second.get("over").asBoolean()).isTrue();
        assertThat(second.get("sessions").size()).isEqualTo(3);
        var again = machine.get("/stops/" + Json.text(first, "stop_id"));
        assertThat(again.get("over").asBoolean()).isTrue();
        assertThat(machine.run("events", "twice", "--json"))
                .contains("tree_stop_began", "tree_stop_ended");
    }

    @Test
    void a_sync_child_ends_with_its_parent() {
        machine.run(
                "start", "waits", "--mode", "async_poll", "-p", "spawn waited mode=sync\n  hang");
        machine.awaitState("waited", "running");
        machine.run("stop", "waits", "--alone");
        machine.awaitState("waits", "stopped");
        machine.awaitState("waited", "stopped");
    }

    @Test
    void a_frozen_tree_is_suspended_and_continues_when_thawed() throws Exception {
        try (var own = new Machine(Machine.SHORT_LEASE)) {
            own.up();
            own.post("/agents", "{\"name\":\"sh\",\"kind\":\"command\",\"command\":[\"bash\"]}");
            var file = own.data().resolve("ticks");
            var script = "while :; do echo tick >> %s; sleep 0.02; done".formatted(file);
            var request = Json.object().put("session_name", "ticks").put("agent_name", "sh");
            own.post("/runs", request.put("prompt", script).toString());
            Eventually.await(() -> ticks(file) > 3, () -> "it does not tick");
            own.run("freeze", "ticks");
            Eventually.await(() -> isStill(file), () -> "it still ticks");
            assertThat(own.run("tree", "ticks")).contains("frozen");
            own.run("start", "held", "--parent", "ticks", "--mode", "async_poll", "-p", "say x");
            // Longer than the lease, which is renewed all the same.
            assertThat(isStillFor(file, 8_000)).isTrue();
            assertThat(own.state("ticks")).isEqualTo("running");
            assertThat(own.state("held")).isEqualTo("pending");
            long before = ticks(file);
            own.run("thaw", "ticks");
            Eventually.await(() -> ticks(file) > before, () -> "it does not continue");
            own.awaitState("held", "finished");
            own.run("freeze", "ticks");
            own.run("stop", "ticks", "--deadline", "1s");
            own.awaitState("ticks", "stopped");
        }
    }

    private static long ticks(Path file) {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isStill(Path file) {
        return isStillFor(file, 300);
    }

    /** True if the file does not change for so many milliseconds. */
    private static boolean isStillFor(Path file, long millis) {
        long before = ticks(file);
        long until = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() < until) {
            if (ticks(file) != before) return false;
            LockSupport.parkNanos(20_000_000);
        }
        return true;
    }

    /** The blueprint's stop signal reaches only the agent, which may end its children itself. */
    @ParameterizedTest
    @ValueSource(strings = {"cgroup", "namespace", "lineage"})
    void an_agent_gets_its_own_stop_signal_first(String containment) {
        Assumptions.assumeTrue(
                EscapesTest.isPossible(containment), containment + " is not possible here");
        try (var own = new Machine(Map.of("COPPICE_CONTAINMENT", containment))) {
            own.up();
            var file = own.data().resolve("asked");
            var script =
                    """
                    trap 'kill -0 $child && echo asked >%1$s; kill $child; exit 0' USR1
                    sleep 600 & child=$!
                    echo >%1$s.set
                    while :; do wait; done
                    """
                            .formatted(file);
            askedPolitely(own, script, Path.of(file + ".set"));
            assertThat(file).hasContent("asked");
            assertThat(own.run("show", "polite")).contains("SIGUSR1");
        }
    }

    /** Starts an agent with stop signal USR1, and stops it as soon as its trap is set. */
    private static void askedPolitely(Machine own, String script, Path listens) {
        var blueprint = Json.object().put("name", "polite").put("stop_signal", "USR1");
        blueprint.putArray("command").add("bash").add("-c").add(script);
        own.post("/agents", blueprint.toString());
        own.run("start", "polite", "--agent", "polite", "--mode", "async_poll", "-p", "x");
        own.awaitState("polite", "running");
        Eventually.await(() -> Files.exists(listens), () -> "no trap is set");
        own.run("stop", "polite", "--deadline", "8s");
        own.awaitState("polite", "stopped");
    }

    /** Without its supervisor, nothing records the exit code of the agent. */
    @Test
    void an_agent_that_kills_its_supervisor_and_exits_on_its_stop_signal_counts_as_stopped() {
        try (var own = new Machine(Map.of("COPPICE_CONTAINMENT", "lineage"))) {
            own.up();
            var file = own.data().resolve("asked");
            var script =
                    """
                    trap 'kill -9 $PPID; exit 0' USR1
                    echo >%s.set
                    while :; do sleep 0.05; done
                    """
                            .formatted(file);
            askedPolitely(own, script, Path.of(file + ".set"));
            assertThat(own.run("show", "polite")).contains("SIGUSR1");
        }
    }

    @Test
    void a_stopped_scripted_agent_runs_its_on_stop_block() {
        var script = "on-stop\n  say one more thing\nsay begun\nhang";
        machine.run("start", "last", "--mode", "async_poll", "-p", script);
        Eventually.await(() -> machine.run("events", "last").contains("begun"), () -> "");
        machine.run("stop", "last");
        machine.awaitState("last", "stopped");
        assertThat(machine.run("events", "last")).contains("one more thing");
    }
}
