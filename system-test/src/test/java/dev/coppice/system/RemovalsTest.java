package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

/** Trees of real processes are removed and restored. */
class RemovalsTest {
    private static final String TREE =
            """
            spawn kid
              spawn leaf
                hang
              hang
            spawn done
              result {"pages": 1}
            hang
            """;

    private static void grow(Machine machine) {
        machine.run("start", "top", "--mode", "async_poll", "-p", TREE);
        machine.awaitAtWork("leaf");
        machine.awaitState("done", "finished");
    }

    private static String latest(Machine machine) {
        var removals = machine.get("/removals").get("removals");
        return String.valueOf(Json.text(removals.get(0), "removal_id"));
    }

    @Test
    void a_running_tree_is_stopped_removed_undone_and_resumed() {
        try (var machine = new Machine()) {
            machine.up();
            grow(machine);
            assertThat(machine.run(3, "rm", "top", "--dry-run"))
                    .contains("4 (1 finished, 3 running)", "Stop them first");
            assertThat(machine.run("rm", "top", "--stop", "--yes", "--reason", "enough"))
                    .contains("removed top", "coppice undo rem_");
            for (var name : new String[] {"top", "kid", "leaf"}) {
                assertThat(machine.carrying("AGENT_SESSION_NAME=" + name)).isEmpty();
            }
            assertThat(machine.run("list")).doesNotContain("top", "kid", "leaf");
            assertThat(machine.run(5, "show", "leaf")).contains("was removed by 'rem_");
            assertThat(machine.run("undo", "top")).contains("restored top, with 4 sessions");
            assertThat(machine.state("leaf")).isEqualTo("stopped");
            assertThat(machine.run("result", "done")).contains("pages");
            assertThat(machine.run("resume", "leaf", "-p", "say grown back"))
                    .contains("grown back");
        }
    }

    /** The restarted coordinator continues the removal. */
    @Test
    void a_removal_survives_the_coordinator() {
        try (var machine = new Machine()) {
            var up = machine.up();
            grow(machine);
            machine.post("/sessions/" + id(machine) + "/removal", "{\"running\":\"stop\"}");
            up.kill();
            machine.up();
            Eventually.await(
                    () -> {
                        var removal = machine.get("/removals/" + latest(machine));
                        return "hidden".equals(Json.text(removal, "state"));
                    },
                    () -> machine.get("/removals/" + latest(machine)).toString());
            assertThat(machine.carrying("AGENT_SESSION_NAME=leaf")).isEmpty();
            machine.run("removals", latest(machine), "purge");
            assertThat(machine.run(5, "show", "top")).contains("was removed by");
            assertThat(machine.run("doctor")).contains("each belongs to a live run");
        }
    }

    private static String id(Machine machine) {
        return String.valueOf(
                Json.text(machine.get("/sessions/by-name/top").get("session"), "session_id"));
    }

    @Test
    void bulk_removal_removes_each_matching_tree_by_its_own_removal() {
        try (var machine = new Machine()) {
            machine.up();
            machine.run("start", "one", "-p", "say 1");
            machine.run("start", "two", "-p", "say 2");
            // The child is running, so the finished parent is not removed either.
            machine.run("start", "three", "-p", "spawn works\n  hang\nsay 3");
            machine.awaitAtWork("works");
            machine.run("start", "busy", "--mode", "async_poll", "-p", "hang");
            machine.awaitAtWork("busy");
            assertThat(machine.run("rm", "--finished", "--older-than", "1d", "--yes"))
                    .contains("0 trees, 0 sessions");
            assertThat(machine.run("rm", "--finished", "--match", "*w*", "--dry-run"))
                    .contains("two", "1 tree, 1 session");
            assertThat(machine.run("rm", "--finished", "--below", "three", "--dry-run"))
                    .contains("0 trees, 0 sessions");
            assertThat(machine.run("rm", "--match", "*w*", "--dry-run"))
                    .contains("two", "works", "1 session is running", "2 trees, 2 sessions");
            assertThat(machine.run("rm", "--below", "three", "--stop", "--dry-run"))
                    .contains("works", "1 tree, 1 session")
                    .doesNotContain("is running");
            Eventually.await(
                    () ->
                            machine.run("rm", "--older-than", "1s", "--dry-run")
                                    .contains("2 trees, 2 sessions"),
                    () -> machine.run("list"));
            assertThat(machine.run("rm", "--finished", "--yes")).contains("removed 2 of 2 trees");
            assertThat(machine.run("list"))
                    .contains("busy", "three", "works")
                    .doesNotContain("one", "two");
            assertThat(machine.get("/removals").get("removals")).hasSize(2);
            assertThat(machine.run("delete-all", "--dry-run")).contains("2 trees, 3 sessions");
            assertThat(machine.run("delete-all", "--yes", "--stop"))
                    .contains("removed 2 of 2 trees");
            assertThat(machine.run("list")).doesNotContain("busy", "three", "works");
            machine.run("start", "five", "-p", "spawn leaf\n  say x\nsay 5");
            machine.awaitState("leaf", "finished");
            assertThat(machine.run("rm", "--finished", "--below", "five", "--dry-run"))
                    .contains("leaf", "1 tree, 1 session");
            assertThat(machine.run("rm", "--match", "five", "--yes"))
                    .contains("removed five; 'coppice undo", "removed 1 of 1 tree");
            assertThat(machine.run("list")).doesNotContain("five", "leaf");
            assertThat(machine.run("undo", "five")).contains("restored five, with 2 sessions");
            assertThat(machine.run("rm", "--below", "five", "--yes", "--json"))
                    .contains("\"removal_id\"", "\"session_name\":\"leaf\"");
            assertThat(machine.run("list")).contains("five").doesNotContain("leaf");
        }
    }

    @Test
    void a_critical_operation_is_named_and_must_be_overridden() {
        try (var machine = new Machine()) {
            machine.up();
            var script =
                    """
                    emit pre_tool {"tool_name":"Bash","tool_use_id":"t1"}
                    emit permission_request {"tool_name":"Write","id":"p1"}
                    hang
                    """;
            machine.run("start", "middle", "--mode", "async_poll", "-p", script);
            var session = machine.get("/sessions/by-name/middle").get("session");
            var path = "/sessions/" + Json.text(session, "session_id") + "/removal";
            Eventually.await(
                    () ->
                            machine.get(path + "-plan?running=stop")
                                            .get("critical_operations")
                                            .size()
                                    == 2,
                    () -> machine.get(path + "-plan?running=stop").toString());
            var refused = machine.refused(path, "{\"running\":\"stop\"}");
            assertThat(refused.body().toString())
                    .contains("Bash has not returned", "a question about Write waits");
            machine.post(
                    path + "?wait=20s",
                    "{\"running\":\"stop\",\"critical\":\"override\",\"reason\":\"enough\"}");
            assertThat(machine.run("audit")).contains("removal.override");
        }
    }

    /** Line 4 of the command line's promise: they are what is being stopped. */
    @ParameterizedTest
    @ValueSource(strings = {"cgroup", "namespace", "lineage"})
    void line_4_the_child_processes_of_an_agent_end_with_it(String containment) {
        Assumptions.assumeTrue(
                EscapesTest.isPossible(containment), containment + " is not possible here");
        try (var own = new Machine(Map.of("COPPICE_CONTAINMENT", containment))) {
            own.up();
            var blueprint = Json.object().put("name", "builder");
            blueprint.putArray("command").add("bash").add("-c").add("sleep 600 & wait; true");
            own.post("/agents", blueprint.toString());
            own.run("start", "builder", "--agent", "builder", "--mode", "async_poll", "-p", "x");
            own.awaitAtWork("builder");
            Eventually.await(
                    () -> own.run(3, "rm", "builder", "--dry-run").contains("2 of agents"),
                    () -> own.run(3, "rm", "builder", "--dry-run"));
            var refused = own.run(3, "rm", "builder", "--yes");
            assertThat(refused)
                    .containsOnlyOnce("1 session is running: 'builder'")
                    .containsOnlyOnce("pass --stop")
                    .doesNotContain("running=stop");
            assertThat(own.run("rm", "builder", "--yes", "--stop")).contains("removed builder");
            assertThat(own.carrying("AGENT_SESSION_NAME=builder")).isEmpty();
        }
    }
}
