package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.client.Answer;
import dev.coppice.scene.Eventually;
import dev.coppice.scene.InSoak;
import dev.coppice.scene.SmallDisk;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.function.Supplier;

/** The coordinator or its disk fails for longer than a lease; no healthy agent is ended. */
class OutageTest {
    /** Twice the lease of these tests, and a second. */
    private static final Duration LONG = Duration.ofSeconds(13);

    @Test
    void a_full_disk_ends_no_agent_and_writes_resume_when_space_is_freed() throws Exception {
        try (var disk = SmallDisk.ofMegabytes(24);
                var machine = new Machine(Machine.SHORT_LEASE, disk.path())) {
            machine.up();
            machine.run("start", "stays", "--mode", "async_poll", "-p", "hang");
            machine.awaitState("stays", "running");
            var id = machine.get("/sessions/by-name/stays").get("session").get("session_id");
            disk.fill();
            Eventually.await(
                    () -> fillUp(machine, id.asString()), () -> "health: " + health(machine));
            assertThat(health(machine).body().toString())
                    .contains("\"ready\":false", "nothing can be written");
            var refused = machine.refused("/sessions", "{\"session_name\":\"late\"}");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.error()).contains("cannot write");
            holds(() -> isThere(machine));
            Files.delete(disk.ballast());
            Eventually.await(() -> health(machine).isGood(), () -> "health: " + health(machine));
            machine.run("start", "next", "-p", "say hello");
            assertThat(machine.state("stays")).isEqualTo("running");
            assertThat(machine.run("result", "next")).contains("hello");
        }
    }

    /** Writes until a write fails: the log may still have free space in its file. */
    private static boolean fillUp(Machine machine, String session) {
        var answer = machine.client().post("/sessions/" + session + "/events", event());
        return !answer.isGood() && !health(machine).isGood();
    }

    private static Object event() {
        return Json.object().put("event_type", "note").put("text", "x".repeat(20_000));
    }

    private static Answer<JsonNode> health(Machine machine) {
        return machine.client().get("/health");
    }

    @Test
    @InSoak
    void a_runner_started_while_its_coordinator_is_down_ends_no_agent() {
        try (var machine = new Machine(Machine.SHORT_LEASE)) {
            var up = machine.up("--no-runner");
            int port = machine.port();
            var runner = machine.start("runner");
            machine.run("start", "stays", "--mode", "async_poll", "-p", "hang");
            Eventually.await(() -> isThere(machine), runner::text);
            up.kill();
            runner.kill();
            var again = machine.start("runner");
            holds(() -> isThere(machine));
            assertThat(again.text()).doesNotContain("could not renew");
            machine.up("--no-runner", "--port", Integer.toString(port));
            Eventually.await(() -> again.text().contains("takes runs from"), again::text);
            holds(() -> {
                assertThat(machine.state("stays")).as(again.text()).isEqualTo("running");
                return true;
            });
            machine.run("stop", "stays");
        }
    }

    /** It holds the lock on its data directory, but nothing can renew a lease. */
    @Test
    @InSoak
    void a_coordinator_that_waits_for_its_database_costs_no_agent() throws IOException {
        try (var machine = new Machine(Machine.SHORT_LEASE)) {
            var up = machine.up("--no-runner");
            var port = Integer.toString(machine.port());
            var runner = machine.start("runner");
            machine.run("start", "stays", "--mode", "async_poll", "-p", "hang");
            Eventually.await(() -> isThere(machine), runner::text);
            up.kill();
            var waiting =
                    machine.startWith(
                            java.util.Map.of(
                                    "COPPICE_DB",
                                    "jdbc:postgresql://127.0.0.1:" + free() + "/none",
                                    "COPPICE_DB_WAIT",
                                    "10m"),
                            "up",
                            "--no-runner",
                            "--port",
                            port);
            Eventually.await(
                    () -> waiting.text().contains("waiting for the database"), waiting::text);
            holds(() -> isThere(machine));
            assertThat(runner.text()).doesNotContain("could not renew");
            waiting.kill();
            machine.up("--no-runner", "--port", port);
            holds(() -> {
                assertThat(machine.state("stays")).as(runner.text()).isEqualTo("running");
                return true;
            });
            machine.run("stop", "stays");
        }
    }

    @Test
    void a_runner_directory_in_use_is_refused_with_the_process_that_holds_it() {
        try (var machine = new Machine()) {
            var up = machine.up();
            machine.run("start", "stays", "--mode", "async_poll", "-p", "hang");
            machine.awaitState("stays", "running");
            var second = machine.start("runner");
            assertThat(second.awaitExit()).isNotZero();
            assertThat(second.text()).contains("in use by process " + up.process().pid());
            assertThat(machine.carrying("AGENT_SESSION_NAME=stays")).isNotEmpty();
            machine.run("stop", "stays");
        }
    }

    /** The agents of both runs work at the same time; only the result of the second run counts. */
    @Test
    void a_runner_suspended_beyond_its_lease_changes_nothing_when_it_continues() throws Exception {
        try (var machine = new Machine(Machine.SHORT_LEASE)) {
            machine.up("--no-runner");
            var first = machine.start("runner");
            machine.run("start", "stays", "--mode", "async_poll", "-p", "hang");
            Eventually.await(() -> isThere(machine), first::text);
            signal(first, "STOP");
            machine.awaitState("stays", "lost");
            var beside = machine.data().resolve("beside").toString();
            machine.start("runner", "--dir", beside);
            assertThat(machine.run("resume", "stays", "-p", "say again")).contains("again");
            assertThat(isThere(machine)).isTrue();
            signal(first, "CONT");
            Eventually.await(() -> !isThere(machine), first::text);
            assertThat(machine.state("stays")).isEqualTo("finished");
            assertThat(machine.run("result", "stays")).contains("again");
        }
    }

    private static void signal(Machine.Program program, String name) throws Exception {
        var pid = Long.toString(program.process().pid());
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
    }

    /** The coordinator starts no runner and uses the existing one. */
    @Test
    void up_beside_a_runner_on_the_same_data_starts_no_second_one() {
        try (var machine = new Machine()) {
            var first = machine.up("--no-runner");
            var runner = machine.start("runner");
            Eventually.await(() -> runner.text().contains("takes runs from"), runner::text);
            int port = machine.port();
            first.kill();
            var up = machine.up("--port", Integer.toString(port));
            assertThat(up.text()).contains("in use by process " + runner.process().pid());
            machine.run("start", "works", "-p", "say hello");
            assertThat(machine.run("result", "works")).contains("hello");
        }
    }

    @Test
    void health_answers_at_once_while_the_database_is_locked() throws Exception {
        try (var machine = new Machine()) {
            machine.up("--no-runner");
            try (var connection = machine.database();
                    var statement = connection.createStatement()) {
                statement.execute("pragma busy_timeout = 10000");
                statement.execute("begin exclusive");
                var writing =
                        Thread.ofVirtual()
                                .start(() -> machine.client().post("/sessions", session()));
                Eventually.await(
                        () -> writing.getState() != Thread.State.RUNNABLE, () -> "no write");
                long from = System.nanoTime();
                assertThat(machine.client().get("/health/live").isGood()).isTrue();
                machine.client().get("/health");
                // The promise is one second; nine still distinguish an answer from a hang.
                assertThat(System.nanoTime() - from).isLessThan(Duration.ofSeconds(9).toNanos());
                statement.execute("rollback");
                writing.join();
            }
        }
    }

    private static Object session() {
        return Json.object().put("session_name", "waits");
    }

    @Test
    void a_start_waits_for_an_unreachable_database_and_then_reports_the_reason()
            throws IOException {
        try (var machine = new Machine(java.util.Map.of("COPPICE_DB_WAIT", "2s"))) {
            var free = free();
            var up =
                    machine.startWith(
                            java.util.Map.of(
                                    "COPPICE_DB", "jdbc:postgresql://127.0.0.1:" + free + "/none"),
                            "up",
                            "--port",
                            "0");
            assertThat(up.awaitExit()).isNotZero();
            assertThat(up.text()).contains("waiting for the database", "refused");
        }
    }

    private static boolean isThere(Machine machine) {
        return !machine.carrying("AGENT_SESSION_NAME=stays").isEmpty();
    }

    private static int free() throws IOException {
        try (var socket =
                new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Asserts that the condition holds all the time. */
    private static void holds(Supplier<Boolean> condition) {
        long until = System.nanoTime() + LONG.toNanos();
        Eventually.await(
                () -> {
                    assertThat(condition.get()).isTrue();
                    return System.nanoTime() > until;
                },
                () -> "the time is not over");
    }
}
