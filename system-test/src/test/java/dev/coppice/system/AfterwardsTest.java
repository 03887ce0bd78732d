package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Temporary;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compares, replays and reclaims trees from the command line. */
class AfterwardsTest {
    private final Machine machine = new Machine();

    @BeforeEach
    void up() {
        machine.up();
        machine.run(
                "start",
                "one",
                "--agent",
                "scripted",
                "-p",
                "spawn leaf\n  say a\nwait all\nsay x");
        machine.awaitState("one", "finished");
        machine.run(1, "start", "two", "--agent", "scripted", "-p", "fail it broke");
        machine.awaitState("two", "failed");
    }

    @AfterEach
    void down() {
        machine.close();
    }

    @Test
    void a_tree_is_compared_replayed_and_reclaimed() {
        var diff = machine.run(1, "diff", "one", "two");
        assertThat(diff).contains("finished", "failed", "STEP", "≠ 1");
        assertThat(machine.run("diff", "one", "one")).contains("Both took the same steps.");
        var played = machine.run("replay", "one", "--speed", "0", "--all");
        assertThat(played.lines().count()).isGreaterThan(4);
        assertThat(played).contains("run_completed");
        var first = played.lines().findFirst().orElseThrow().split(" ", -1)[0];
        var next = Long.toString(Long.parseLong(first) + 1);
        assertThat(machine.run("replay", "one", "--speed", "0", "--from", next))
                .doesNotContain("session_created      one");
        assertThat(machine.run("reclaim")).contains("one", "two", "2 ended trees");
        machine.run("reclaim", "--free", "--yes");
        assertThat(machine.run("reclaim")).contains("0 ended trees");
        machine.run("undo", "two");
        assertThat(machine.run("reclaim")).contains("1 ended tree:");
    }

    /** The directory belongs to a person's own program: no removal deletes it. */
    @Test
    void the_directory_of_a_session_by_hand_is_looked_after() throws Exception {
        var project = Temporary.directory("coppice-by-hand").toRealPath();
        git(project, "init", "-q");
        Files.writeString(project.resolve("draft.txt"), "not committed");
        machine.post(
                "/hooks/claude_code",
                """
                {"hook_event_name": "UserPromptSubmit", "session_id": "by-hand", "cwd": "%s"}
                """
                        .formatted(project));
        machine.post(
                "/hooks/claude_code",
                "{\"hook_event_name\": \"SessionEnd\", \"session_id\": \"by-hand\"}");
        var session = machine.get("/sessions/by-hand").get("session");
        assertThat(Json.text(session, "project_dir")).isEqualTo(project.toString());
        assertThat(Json.text(session, "hostname")).isNotNull();
        assertThat(machine.run("rm", "by-hand", "--dry-run"))
                .contains(project.toString(), "1 untracked");
        machine.run("rm", "by-hand", "--yes");
        assertThat(project.resolve("draft.txt")).exists();
        assertThat(machine.run("work", "list", "by-hand")).contains(project.toString());
    }

    private static void git(Path directory, String... words) throws Exception {
        var command = new ArrayList<>(List.of("git", "-C", directory.toString()));
        command.addAll(List.of(words));
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }
}
