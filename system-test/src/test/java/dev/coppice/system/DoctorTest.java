package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

/** What does not fit together is found, and what is safe is mended. */
class DoctorTest {
    @Test
    void a_process_that_is_nobodys_is_found_and_ended_and_others_are_left_alone()
            throws IOException {
        try (var machine = new Machine()) {
            var up = machine.up();
            assertThat(machine.run("doctor")).contains("containment", "each belongs to a run");
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
                assertThat(machine.run("doctor")).contains("each belongs to a run");
                assertThat(machine.state("works")).isEqualTo("running");
            } finally {
                started.forEach(Process::destroyForcibly);
            }
            up.kill();
            assertThat(machine.run(11, "doctor")).contains("no coordinator answers");
        }
    }
}
