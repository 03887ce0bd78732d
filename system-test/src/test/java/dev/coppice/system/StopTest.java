package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A stop reaches everything, with real processes. */
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
        assertThat(machine.run(2, "stop", "all")).contains("living children", "--tree");
        var said = machine.run("stop", "all", "--tree", "--reason", "enough");
        assertThat(said).contains("all ", "all-mid ", "all-leaf ", "stopped");
        for (var name : new String[] {"all", "all-mid", "all-leaf"}) {
            assertThat(machine.state(name)).isEqualTo("stopped");
            assertThat(machine.carrying("AGENT_SESSION_NAME=" + name)).isEmpty();
        }
    }

    @Test
    void asking_twice_joins_and_the_answer_can_be_asked_for_again() {
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
    void a_child_that_was_waited_for_ends_with_its_parent() {
        machine.run(
                "start", "waits", "--mode", "async_poll", "-p", "spawn waited mode=sync\n  hang");
        machine.awaitState("waited", "running");
        machine.run("stop", "waits", "--alone");
        machine.awaitState("waits", "stopped");
        machine.awaitState("waited", "stopped");
    }
}
