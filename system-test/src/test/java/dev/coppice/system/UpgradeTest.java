package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.boot.DatabaseSchema;
import dev.coppice.scene.Temporary;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A newer version takes over the data and the agents of an earlier one, and gives them back. */
class UpgradeTest {
    private static final String CARRIED = "AGENT_SESSION_NAME=busy";

    /** What the version before has left: a database with a step less, and a line about itself. */
    private static Path earlierVersion(Machine machine) throws IOException {
        machine.run("db", "rollback", "--yes");
        var home = Temporary.directory("coppice-prefix").resolve("share/coppice/0.0.9");
        var program = Files.createDirectories(home.resolve("bin")).resolve("coppice");
        Files.writeString(program, "#!/bin/sh\necho the version before\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        note(machine, "0.0.9", home, DatabaseSchema.newest() - 1, false);
        return home;
    }

    private static void note(Machine machine, String version, Path home, int steps, boolean isNext)
            throws IOException {
        var file = machine.data().resolve("versions");
        var line =
                Json.object()
                        .put("version", version)
                        .put("home", home.toString())
                        .put("steps", steps)
                        .put("since", "2026-11-27T00:00:00Z");
        Files.writeString(file, (isNext ? Files.readString(file) : "") + line + "\n");
    }

    private static List<Path> copies(Machine machine) throws IOException {
        try (var all = Files.list(machine.data().resolve("backups"))) {
            return all.filter(each -> each.getFileName().toString().startsWith("before_step_"))
                    .toList();
        }
    }

    @Test
    void agents_outlive_an_upgrade_and_the_way_back() throws IOException {
        try (var machine = new Machine()) {
            machine.run("up", "-d", "--port", "0");
            var go = machine.data().resolve("go");
            machine.post(
                    "/agents",
                    """
                    {"name": "held", "kind": "command", "command": ["sh", "-c", "%secho held"]}
                    """
                            .formatted(Machine.awaiting(go)));
            machine.run("start", "busy", "--agent", "held", "--mode", "async_poll", "-p", "x");
            machine.awaitAtWork("busy");
            machine.run("down", "--keep-agents");
            assertThat(machine.carrying(CARRIED)).as("it went on").isNotEmpty();
            earlierVersion(machine);
            var agents = machine.carrying(CARRIED);

            machine.run("up", "-d", "--port", "0");
            assertThat(copies(machine)).hasSize(1);
            assertThat(machine.run("db", "status")).doesNotContain("pending");
            assertThat(machine.run(2, "rollback", "--yes")).contains("down --keep-agents");
            machine.run("down", "--keep-agents");

            assertThat(machine.run(2, "rollback"))
                    .contains("version 0.0.9 does not know the last 1 step", "--yes");
            assertThat(machine.run("rollback", "--yes"))
                    .contains("rolled back 0015_uses_by_time", "back at version 0.0.9");
            assertThat(machine.run("db", "status")).contains("pending");
            assertThat(machine.run("rollback")).as("again").contains("back at version 0.0.9");

            machine.run("up", "-d", "--port", "0");
            assertThat(machine.carrying(CARRIED)).containsAnyElementsOf(agents);
            Files.createFile(go);
            machine.awaitState("busy", "finished");
            assertThat(machine.run("result", "busy")).contains("held");
            assertThat(machine.run("runs", "busy")).doesNotContain("lost");
            machine.run("down");
        }
    }

    @Test
    void the_links_of_an_installation_lead_to_the_version_before() throws IOException {
        try (var machine = new Machine()) {
            machine.run("up", "-d", "--port", "0");
            machine.run("down");
            var before = earlierVersion(machine);
            var now = before.resolveSibling("0.1.0");
            var prefix = before.resolve("../../..").normalize();
            for (var name : List.of("coppice", "ao-new")) {
                var program = Files.createDirectories(now.resolve("bin")).resolve(name);
                Files.writeString(program, "");
                var link = Files.createDirectories(prefix.resolve("bin")).resolve(name);
                Files.createSymbolicLink(link, program);
            }
            var theirs = Files.createSymbolicLink(prefix.resolve("bin/other"), Path.of("/bin/sh"));
            var typed = machine.startWith(Map.of("COPPICE_HOME", now.toString()), "rollback");
            assertThat(typed.awaitExit()).as(typed::text).isZero();
            assertThat(typed.text()).contains("linked 2 files");
            assertThat(Files.readSymbolicLink(prefix.resolve("bin/coppice")))
                    .isEqualTo(before.resolve("bin/coppice"));
            assertThat(Files.exists(prefix.resolve("bin/ao-new"))).isFalse();
            assertThat(theirs).isSymbolicLink();
        }
    }

    @Test
    void a_version_whose_program_is_gone_is_refused_and_nothing_is_changed() throws IOException {
        try (var machine = new Machine()) {
            machine.run("up", "-d", "--port", "0");
            machine.run("down");
            var home = earlierVersion(machine);
            machine.run("db", "migrate");
            Temporary.delete(home);
            assertThat(machine.run(2, "rollback", "--yes"))
                    .contains("the program of version 0.0.9 is gone from " + home);
            assertThat(machine.run("db", "status")).doesNotContain("pending");
        }
    }
}
