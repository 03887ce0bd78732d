package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coppice.scene.Eventually;
import dev.coppice.scene.Temporary;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A second machine joins by one line, over TLS, and works for a tree that begins on the first. */
class SecondMachineTest {
    private static final String LINE = "coppice runner join ";

    /** The part of the output that is the line to paste. */
    private static List<String> joining(String said) {
        var line = said.lines().filter(each -> each.startsWith(LINE)).findFirst().orElseThrow();
        return List.of(line.substring("coppice ".length()).split(" ", -1));
    }

    private static Machine.Program join(Machine machine, FarHost host, List<String> line, Path data)
            throws IOException {
        var words = new ArrayList<>(line);
        words.addAll(List.of("--data", data.toString()));
        var home = Files.createDirectories(machine.data().resolve("far home"));
        return machine.begin(host.command(Product.command(words)), Map.of("HOME", home.toString()));
    }

    private static void blueprint(Machine machine, String name, String tag) {
        machine.post(
                "/agents",
                """
                {"name": "%s", "kind": "scripted", "demands": {"tags": ["%s"]}}
                """
                        .formatted(name, tag));
    }

    @Test
    void a_tree_spans_two_machines_while_the_cable_between_them_is_cut() throws IOException {
        assumeTrue(FarHost.isPossible(), "only root can make another host");
        try (var host = new FarHost();
                var machine = new Machine()) {
            machine.run("tls", "make", "--name", host.near());
            machine.up("--listen", host.near() + ":0", "--tags", "near");
            var line = joining(machine.run("runner", "invite", "--tags", "far"));
            var data = Temporary.directory("coppice-far");
            var far = join(machine, host, line, data);
            Eventually.await(() -> far.text().contains("takes runs from https://"), far::text);
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(data.resolve("token"))))
                    .isEqualTo("rw-------");

            blueprint(machine, "here", "near");
            machine.post(
                    "/agents",
                    """
                    {"name": "there", "kind": "command", "demands": {"tags": ["far"]},
                     "command": ["sh", "-c", "%sid=$AGENT_SESSION_ID; echo from $COPPICE_URL"]}
                    """
                            .formatted(Machine.awaiting(machine.data().resolve("go"))));
            machine.run(
                    "start",
                    "root",
                    "--agent",
                    "here",
                    "--mode",
                    "async_poll",
                    "-p",
                    """
                    spawn child agent=there mode=async_callback
                    on-wake
                      heard
                      say woken
                    """);
            machine.awaitAtWork("child");
            host.cut();
            Files.createFile(machine.data().resolve("go"));
            Eventually.await(
                    () -> machine.carrying("AGENT_SESSION_NAME=child").isEmpty(), far::text);
            assertThat(machine.state("child")).isEqualTo("running");
            host.mend();
            machine.awaitState("child", "finished");
            var twice = List.of("finished", "finished");
            Eventually.await(() -> runs(machine, "root").equals(twice), () -> machine.run("runs"));
            assertThat(runs(machine, "child")).containsExactly("finished");
            assertThat(machine.run("result", "child")).contains("from https://" + host.near());
            assertThat(machine.run("result", "root")).contains("woken", "from https://");

            again(machine, host, line);
            revoked(machine, far);
        }
    }

    /** The states of the runs of a session. */
    static List<String> runs(Machine machine, String name) {
        var id =
                machine.get("/sessions/by-name/" + name)
                        .path("session")
                        .path("session_id")
                        .asString();
        var runs = machine.get("/runs?session_id=" + id).path("runs");
        return runs.valueStream().map(run -> run.path("state").asString()).toList();
    }

    /** The line works once, and a directory joins once. */
    private static void again(Machine machine, FarHost host, List<String> line) throws IOException {
        var second = join(machine, host, line, Temporary.directory("coppice-far"));
        assertThat(second.awaitExit()).isEqualTo(5);
        assertThat(second.text()).contains("This invitation is not valid: it was used");
        var other = new ArrayList<>(joining(machine.run("runner", "invite")));
        other.set(other.size() - 1, "sha256:" + "0".repeat(64));
        var foreign = join(machine, host, other, Temporary.directory("coppice-far"));
        assertThat(foreign.awaitExit()).isEqualTo(2);
        assertThat(foreign.text()).contains("another coordinator, or somebody is in between");
    }

    /** The runs of a revoked runner end at both ends. */
    private static void revoked(Machine machine, Machine.Program far) throws IOException {
        Files.delete(machine.data().resolve("go"));
        machine.run("start", "lone", "--agent", "there", "--mode", "async_poll", "-p", "x");
        machine.awaitAtWork("lone");
        var runner = Pattern.compile("Runner (\\S+) takes").matcher(far.text());
        assertThat(runner.find()).isTrue();
        machine.run("runners", "revoke", runner.group(1));
        machine.awaitState("lone", "lost");
        assertThat(far.awaitExit()).isEqualTo(3);
        assertThat(far.text()).contains("whose agents were ended: its token was revoked");
        assertThat(machine.carrying("AGENT_SESSION_NAME=lone")).isEmpty();
        assertThat(machine.run("token", "list")).doesNotContain("runner on");
    }
}
