package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is understood afterwards, on the command line: compare, replay, reclaim. */
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
        var played = machine.run("replay", "one", "--speed", "0");
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
}
