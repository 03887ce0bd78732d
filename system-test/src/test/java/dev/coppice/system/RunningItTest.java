package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coppice.house.Sources;
import dev.coppice.scene.Eventually;
import dev.coppice.scene.Temporary;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The pages about running it, played word for word: what they tell to type works. */
class RunningItTest {
    private static final Pattern BLOCK = Pattern.compile("(?s)```sh\\n(.*?)```");

    /** The commands of a page in their order. */
    static List<String> commands(String page) throws IOException {
        var text = Files.readString(Sources.ROOT.resolve("docs").resolve(page));
        var commands = new ArrayList<String>();
        BLOCK.matcher(text)
                .results()
                .flatMap(block -> block.group(1).lines())
                .map(line -> line.replaceFirst("\\s+#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .forEach(commands::add);
        return commands;
    }

    private static Machine.Program type(Machine machine, String command) {
        var path = machine.data() + ":" + System.getenv("PATH");
        var home = machine.data().toString();
        return machine.shell(command, Map.of("PATH", path, "HOME", home, "COPPICE_PORT", "0"));
    }

    private static String done(Machine machine, String command) {
        var typed = type(machine, command);
        assertThat(typed.awaitExit()).as(() -> command + ": " + typed.text()).isZero();
        return typed.text();
    }

    @Test
    void service() throws IOException {
        assumeTrue(!Files.isDirectory(Path.of("/run/systemd/system")), "systemd runs here");
        try (var machine = new Machine()) {
            var commands = commands("service.md");
            assertThat(commands).hasSize(7);
            for (var command : commands) {
                var typed = type(machine, command);
                // There is no journal without systemd.
                int expected = command.equals("coppice service logs") ? 9 : 0;
                assertThat(typed.awaitExit()).as(() -> command + typed.text()).isEqualTo(expected);
            }
        }
    }

    /** The version after is the same one, so there is none to go back to but it. */
    @Test
    void upgrade() throws IOException {
        try (var machine = new Machine()) {
            done(machine, "coppice up -d");
            var commands = commands("upgrade.md");
            assertThat(commands).hasSize(6);
            var versions = machine.data().resolve("versions");
            for (var command : commands) {
                if (command.equals("coppice rollback --yes")) {
                    var home = Files.createDirectories(machine.data().resolve("0.0.9/bin"));
                    Files.createSymbolicLink(home.resolve("coppice"), Path.of("/bin/true"));
                    var line = Files.readString(versions);
                    var before =
                            line.replaceFirst(
                                    "\"home\":\"[^\"]*", "\"home\":\"" + home.getParent());
                    Files.writeString(versions, before + line);
                }
                done(machine, command);
            }
            done(machine, "coppice down");
        }
    }

    @Test
    void backup() throws IOException {
        try (var machine = new Machine()) {
            done(machine, "coppice up -d");
            var place = Temporary.directory("coppice-backup");
            var commands = commands("backup.md");
            assertThat(commands).hasSize(3);
            for (var command : commands) done(machine, "cd " + place + " && " + command);
            assertThat(place.resolve("again/coppice.db")).exists();
            done(machine, "coppice down");
        }
    }

    @Test
    void users() throws IOException {
        try (var machine = new Machine()) {
            var commands = commands("users.md");
            assertThat(commands).hasSize(3);
            for (var command : commands) done(machine, command);
            done(machine, "coppice down");
        }
    }

    @Test
    void second_machine() throws IOException {
        try (var machine = new Machine()) {
            var commands = commands("second-machine.md");
            assertThat(commands)
                    .containsExactly(
                            "coppice tls make",
                            "coppice up --listen 0.0.0.0",
                            "coppice runner invite --tags gpu",
                            "coppice runners revoke RUNNER");
            done(machine, commands.get(0));
            Machine.ready(type(machine, commands.get(1)));
            var invited = done(machine, commands.get(2)).lines();
            var line = invited.filter(each -> each.startsWith("coppice runner join")).findFirst();
            var data = Temporary.directory("coppice-far");
            // Another test may take away the network whose address the line has.
            var near = line.orElseThrow().replaceFirst("https://.*:8766", "https://127.0.0.1:8766");
            var joined = type(machine, near + " --data " + data);
            Eventually.await(() -> joined.text().contains("takes runs from"), joined::text);
            var listed = machine.run("runners");
            var runner = listed.lines().filter(each -> each.contains(data.toString())).findFirst();
            var id = runner.orElseThrow().split(" ", 2)[0];
            done(machine, commands.get(3).replace("RUNNER", id));
            assertThat(joined.awaitExit()).isEqualTo(3);
        }
    }
}
