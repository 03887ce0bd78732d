package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.nio.file.Files;

/** Waves from the command line, with real processes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WavesTest {
    private final Machine machine = new Machine();

    @BeforeAll
    void start() {
        machine.up();
    }

    @AfterAll
    void stop() {
        machine.close();
    }

    private String file(String name, String plan) throws IOException {
        return Files.writeString(machine.data().resolve(name), plan).toString();
    }

    @Test
    void a_file_starts_a_tree_whose_members_wait_for_each_other() throws IOException {
        var file =
                file(
                        "review.json",
                        """
                        {"parameters_schema": {"required": ["repo"]}, "members": [
                          {"name": "lead", "prompt": "say leading"},
                          {"name": "scan", "below": "lead", "prompt": "result leaks in ${params.repo}"},
                          {"name": "mend", "after": ["scan"], "prompt": "sleep 3s\\nsay fixed ${results.scan}"}
                        ]}
                        """);
        machine.run(3, "run", file);
        assertThat(machine.run("run", file, "repo=web", "--dry-run"))
                .startsWith("review  wave_")
                .contains("planned  3 members", "\n    mend  ○ waiting", "below lead");
        assertThat(machine.run("run", file, "repo=web"))
                .contains("✓ finished  3 of 3 over", "critical path: scan → mend");
        assertThat(machine.run("result", "mend")).contains("fixed leaks in web");
        assertThat(machine.run("tree", "lead")).contains("└─ scan");
    }

    @Test
    void a_failed_member_fails_the_wave_and_skips_what_follows() throws IOException {
        var file =
                file(
                        "broken.json",
                        """
                        {"members": [{"name": "bad", "prompt": "fail no way"},
                          {"name": "never", "after": ["bad"], "prompt": "say no"}]}
                        """);
        assertThat(machine.run(1, "run", file))
                .contains("✗ failed  2 of 2 over", "no way", "– skipped", "bad did not finish");
    }

    @Test
    void a_wave_is_started_shown_listed_and_stopped() {
        var id =
                machine.run(
                                "wave",
                                "start",
                                "pair",
                                "--members",
                                "one,two",
                                "--agent",
                                "scripted",
                                "-p",
                                "say ${member}\nhang")
                        .strip();
        machine.awaitAtWork("two");
        machine.awaitAtWork("one");
        assertThat(machine.run("wave", "show", id)).contains("● running  0 of 2 over");
        assertThat(machine.run("wave", "list")).contains("pair", id);
        machine.run(10, "wave", "wait", id, "--timeout", "1s");
        machine.run("wave", "stop", id);
        assertThat(machine.run(1, "wave", "wait", id)).contains("one", "■ stopped");
    }

    @Test
    void a_tree_is_drawn_exported_and_searched() throws IOException {
        machine.run(
                "start",
                "parent",
                "-p",
                "spawn child\n  say a needle, in hay\n  fail no \"way\"\nwait all");
        assertThat(machine.run("timeline", "parent"))
                .containsPattern("parent +━+ +✓ finished")
                .containsPattern("  child +━*✗ +✗ failed");
        var lines = machine.run("export", "parent", "--tree").lines().toList();
        assertThat(lines)
                .allSatisfy(line -> assertThat(Json.read(line).has("event_type")).isTrue());
        assertThat(machine.run("export", "child", "--format", "csv"))
                .startsWith("id,timestamp,session_id,session_name,run_id,event_type,details")
                .contains(",child,", ",run_failed,\"{\"\"error\"\":\"\"no \\\"\"way\\\"\"");
        var file = machine.data().resolve("parent.md").toString();
        machine.run("export", "parent", "--tree", "--format", "markdown", "-o", file);
        assertThat(machine.read("parent.md")).contains("## parent.child", "      a needle, in hay");
        machine.run(12, "export", "parent", "-o", file);
        Eventually.await(
                () -> machine.run("search", "needle", "--in", "parent").contains("in hay"),
                () -> "not found");
        assertThat(machine.run("search", "--status", "failed", "--in", "parent"))
                .containsPattern("child +run_failed +✗");
    }

    @Test
    void what_agents_use_is_sampled_and_shown() {
        machine.run("start", "worker", "--mode", "async_poll", "-p", "say hello\nhang");
        machine.awaitAtWork("worker");
        var session = machine.get("/sessions/by-name/worker").get("session");
        var health = "/sessions/" + Json.text(session, "session_id") + "/health";
        Eventually.await(
                () -> machine.get(health).get("tree").get("processes").asInt() > 0,
                () -> machine.get(health).toString());
        var use = machine.get(health).get("health").get("use");
        assertThat(use.get("memory_bytes").asLong()).isPositive();
        assertThat(use.get("open_files").asInt()).isPositive();
        assertThat(machine.run("top", "--once"))
                .containsPattern("\\d+ at work; [\\d.]+ CPU, [\\d,]+")
                .containsPattern("worker +● running");
        machine.run("stop", "worker");
    }
}
