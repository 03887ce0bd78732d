package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coppice.client.CoordinatorLock;
import dev.coppice.scene.Eventually;
import dev.coppice.scene.Temporary;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A coordinator in the background, and as a service. */
class ServiceTest {
    private static final Pattern WORD = Pattern.compile("\"((?:[^\"\\\\]++|\\\\.)*+)\"");

    @Test
    void a_coordinator_in_the_background_says_where_it_is_and_down_stops_it() {
        try (var machine = new Machine()) {
            var said = machine.run("up", "-d", "--port", "0", "--tags", "a,b");
            assertThat(said).contains("Coppice is up at " + machine.url(), "up.log");
            machine.run("start", "busy", "--mode", "async_poll", "-p", "hang");
            machine.awaitAtWork("busy");
            assertThat(machine.run(9, "up", "-d", "--port", "0"))
                    .contains(
                            "another coordinator already uses the data directory", "ended with 9");
            assertThat(machine.run("service", "status")).contains("a coordinator runs in");
            assertThat(machine.run("down")).contains("stopped the coordinator");
            assertThat(machine.carrying("AGENT_SESSION_NAME=busy")).isEmpty();
            assertThat(machine.run("down")).contains("no coordinator of this user runs");
        }
    }

    /** A child that a live run waits for still starts; what nobody waits for does not. */
    @Test
    void a_drain_lets_live_runs_end_and_starts_no_others() throws IOException {
        try (var machine = new Machine()) {
            machine.run("up", "-d", "--port", "0");
            var go = machine.data().resolve("go");
            machine.post(
                    "/agents",
                    """
                    {"name": "held", "kind": "command",
                     "command": ["sh", "-c", "%1$scoppice start child --agent scripted -p 'say late'"]}
                    """
                            .formatted(Machine.awaiting(go)));
            machine.run("start", "busy", "--agent", "held", "--mode", "async_poll", "-p", "x");
            machine.awaitAtWork("busy");
            assertThat(machine.run(10, "down", "--drain", "--timeout", "10ms"))
                    .contains("still at work: busy", "the coordinator starts runs again");

            var down = machine.start("down", "--drain");
            Eventually.await(() -> down.text().contains("waiting for busy"), down::text);
            machine.run("start", "next", "--mode", "async_poll", "-p", "say next");
            Files.createFile(go);
            assertThat(down.awaitExit()).as(down::text).isZero();
            machine.run("up", "-d", "--port", "0");
            machine.awaitState("next", "finished");
            assertThat(machine.run("result", "busy")).contains("late");
            assertThat(machine.run("runs", "next", "--status", "lost,stopped"))
                    .doesNotContain("next");
            machine.run("down");
        }
    }

    /** The lock may be that of 'coppice db', which must not be ended at its work. */
    @Test
    void down_ends_nothing_that_is_no_coordinator() throws IOException {
        try (var machine = new Machine();
                var lock =
                        FileChannel.open(
                                machine.data().resolve(CoordinatorLock.FILE),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE)) {
            assertThat(lock.lock(CoordinatorLock.OWNER_BYTE, 1, false).isValid()).isTrue();
            assertThat(machine.run(10, "down"))
                    .contains("process " + ProcessHandle.current().pid())
                    .contains("answers no requests");
        }
    }

    @Test
    void a_unit_is_what_systemd_accepts() throws IOException, InterruptedException {
        var analyze = Path.of("/usr/bin/systemd-analyze");
        assumeTrue(Files.isExecutable(analyze), "no systemd-analyze");
        try (var machine = new Machine(Map.of("PATH", System.getenv("PATH") + ":/a b/100%/$x"))) {
            for (var kind : List.of("--user", "--system")) {
                var unit = Files.createDirectory(machine.data().resolve("unit" + kind));
                var file = unit.resolve("coppice.service");
                var line = new ArrayList<>(List.of("service", "print"));
                if (kind.equals("--system")) line.add(kind);
                Files.writeString(file, machine.run(line.toArray(String[]::new)));
                var verify =
                        List.of(analyze.toString(), kind, "--man=no", "verify", file.toString());
                var builder = new ProcessBuilder(verify).redirectErrorStream(true);
                builder.environment().put("XDG_RUNTIME_DIR", Temporary.directory("run").toString());
                var process = builder.start();
                var output = process.getInputStream().readAllBytes();
                assertThat(new String(output, StandardCharsets.UTF_8)).isEmpty();
                assertThat(process.waitFor()).as(kind).isZero();
            }
        }
    }

    /** As systemd starts it: with the environment of the unit, and nothing else. */
    @Test
    void the_command_line_of_a_unit_starts_a_coordinator_in_its_environment() throws IOException {
        try (var machine = new Machine()) {
            machine.run("config", "set", "COPPICE_PORT", "0");
            var home = Temporary.directory("coppice-home");
            var line = new ArrayList<>(List.of("env", "-i", "HOME=" + home));
            var unit = machine.run("service", "print");
            for (var each : unit.lines().toList()) {
                if (each.startsWith("Environment=")) line.addAll(words(each));
            }
            var start = unit.lines().filter(each -> each.startsWith("ExecStart=")).findFirst();
            line.addAll(words(start.orElseThrow()));
            Machine.ready(machine.begin(line));
            machine.run("start", "hello", "-p", "say hello");
            assertThat(machine.run("down")).contains("stopped");
        }
    }

    /** The quoted words of a line of a unit. */
    private static List<String> words(String line) {
        return WORD.matcher(line)
                .results()
                .map(found -> found.group(1).replace("\\\"", "\"").replace("\\\\", "\\"))
                .map(word -> word.replace("%%", "%").replace("$$", "$"))
                .toList();
    }

    @Test
    void install_writes_the_unit_and_uninstall_removes_it() throws IOException {
        assumeTrue(!Files.isDirectory(Path.of("/run/systemd/system")), "systemd runs here");
        try (var machine = new Machine()) {
            var home = Map.of("HOME", machine.data().toString());
            var file = machine.data().resolve(".config/systemd/user/coppice.service");
            var installed = machine.startWith(home, "service", "install");
            assertThat(installed.awaitExit()).isZero();
            assertThat(installed.text())
                    .contains("wrote " + file, "systemctl --user enable --now coppice");
            assertThat(file).content().contains("Delegate=yes", "Restart=on-failure");
            var removed = machine.startWith(home, "service", "uninstall");
            assertThat(removed.awaitExit()).isZero();
            assertThat(file).doesNotExist();
            Eventually.await(() -> removed.text().contains("removed"), removed::text);
        }
    }
}
