package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coppice.scene.Eventually;
import dev.coppice.scene.InSoak;
import dev.coppice.scene.Temporary;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A runner on another host, which ssh alone reaches; with a real program, which takes minutes. */
@InSoak
class HostsTest {
    @Test
    void a_host_that_ssh_reaches_runs_agents_through_every_break() throws IOException {
        assumeTrue(FarHost.isPossible(), "only root can make another host");
        var archive = MadeArchive.archive();
        try (var host = new FarHost();
                var machine = new Machine();
                var ssh = new SshServer(host, machine)) {
            machine.up("--tags", "near");
            var there = Temporary.directory("coppice-far").resolve("its place");
            var add =
                    List.of(
                            "hosts",
                            "add",
                            ssh.address(),
                            "--name",
                            "far",
                            "--tags",
                            "far",
                            "--dir",
                            there.toString(),
                            "--ssh",
                            ssh.command(),
                            "--archive");
            assertThat(machine.run(with(add, archive)))
                    .contains("copying the program", "far runs agents now: runner lnch_");
            assertThat(commandLines())
                    .doesNotContain(Files.readString(there.resolve("data/token")));
            foreignDirectory(machine, ssh, archive);
            var go = machine.data().resolve("go");
            tree(machine, go);

            host.cut();
            awaitState(machine, "away");
            host.mend();
            awaitState(machine, "connected");
            assertThat(agents(machine)).as("the agent went on").isNotEmpty();

            upgraded(machine, with(add, laterVersion(archive)), there);
            assertThat(machine.run(3, "hosts", "remove", "far")).contains("runs at work (1)");
            otherKey(machine, ssh, with(add, archive));
            assertThat(agents(machine)).as("through all of it").isNotEmpty();

            Files.createFile(go);
            machine.awaitState("child", "finished");
            var twice = List.of("finished", "finished");
            Eventually.await(() -> runs(machine, "root").equals(twice), () -> machine.run("runs"));
            assertThat(runs(machine, "child")).containsExactly("finished");
            assertThat(machine.run("result", "child")).contains("from http://127.0.0.1:");
            repaired(machine, with(add, laterVersion(archive)), there);
            removed(machine, there);
        }
    }

    /** The processes of the child's agent, whose environment did not pass through ssh. */
    private static List<ProcessHandle> agents(Machine machine) {
        var child = machine.get("/sessions/by-name/child").path("session").path("session_id");
        var mark = "\0AGENT_SESSION_ID=%s\0".formatted(child.asString());
        return ProcessHandle.allProcesses()
                .filter(each -> environment(each).contains(mark))
                .toList();
    }

    private static String environment(ProcessHandle process) {
        var file = Path.of("/proc", Long.toString(process.pid()), "environ");
        try {
            return "\0" + Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            // It has ended.
            return "";
        }
    }

    private static String[] with(List<String> words, Path archive) {
        var all = new ArrayList<>(words);
        all.add(archive.toString());
        return all.toArray(String[]::new);
    }

    private static String commandLines() {
        return ProcessHandle.allProcesses()
                .map(each -> each.info().commandLine().orElse(""))
                .collect(Collectors.joining("\n"));
    }

    /** A directory with files of somebody else is neither used nor deleted. */
    private static void foreignDirectory(Machine machine, SshServer ssh, Path archive)
            throws IOException {
        var theirs = Temporary.directory("coppice-theirs");
        var file = Files.writeString(theirs.resolve("file"), "theirs");
        var add =
                List.of(
                        "hosts",
                        "add",
                        ssh.address(),
                        "--name",
                        "other",
                        "--dir",
                        theirs.toString(),
                        "--ssh",
                        ssh.command(),
                        "--archive");
        assertThat(machine.run(3, with(add, archive))).contains("holds other files");
        Files.writeString(theirs.resolve("host"), "another coordinator");
        assertThat(machine.run(3, with(add, archive))).contains("the runner of another coord");
        assertThat(file).hasContent("theirs");
        assertThat(theirs.resolve("data")).doesNotExist();
    }

    /** A parent here, whose child works there until a file exists. */
    private static void tree(Machine machine, Path go) {
        blueprint(
                machine,
                """
                {"name": "here", "kind": "scripted", "demands": {"tags": ["near"]}}
                """);
        blueprint(
                machine,
                """
                {"name": "there", "kind": "command", "demands": {"tags": ["far"]},
                 "command": ["sh", "-c", "%secho from $COPPICE_URL"]}
                """
                        .formatted(Machine.awaiting(go)));
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
                  say woken
                """);
        machine.awaitState("child", "running");
        Eventually.await(() -> !agents(machine).isEmpty(), () -> machine.run("hosts", "list"));
    }

    private static void blueprint(Machine machine, String document) {
        machine.post("/agents", document);
    }

    /** The same program under the name of a later version: it replaces the one before. */
    private static Path laterVersion(Path archive) throws IOException {
        var named = archive.getFileName().toString().replaceFirst("-[0-9.]+-", "-99.0.0-");
        return Files.copy(archive, Temporary.directory("coppice-later").resolve(named));
    }

    /** The runner is another process, of another program, with the same agent. */
    private static void upgraded(Machine machine, String[] add, Path there) throws IOException {
        var agents = agents(machine);
        assertThat(machine.run(add)).contains("copying the program", "far runs agents now");
        assertThat(agents(machine)).as("the agent went on").containsAnyElementsOf(agents);
        var exe = Path.of("/proc", pid(there), "exe").toRealPath();
        assertThat(exe.toString()).contains("program-99.0.0-");
        assertThat(machine.run(add)).contains("far has this version");
    }

    /** A revoked runner gets another token, and is another process. */
    private static void repaired(Machine machine, String[] add, Path there) throws IOException {
        var runner = pid(there);
        var listed = machine.run("runners").lines().filter(each -> each.contains("its place"));
        machine.run("runners", "revoke", listed.findFirst().orElseThrow().split(" ", 2)[0]);
        awaitState(machine, "no runner");
        assertThat(machine.run(add)).contains("far runs agents now");
        assertThat(pid(there)).isNotEqualTo(runner);
    }

    private static String pid(Path there) throws IOException {
        return Files.readString(there.resolve("pid")).split(" ", -1)[0];
    }

    /** A connection that breaks returns only to the machine with the key that is known. */
    private static void otherKey(Machine machine, SshServer ssh, String[] add) throws IOException {
        ssh.knows("user");
        assertThat(machine.run(3, add)).contains("Host key verification failed", "by hand");
        endTunnel(ssh);
        Eventually.await(
                () -> machine.run("hosts", "list").contains("Host key verification failed"),
                () -> machine.run("hosts", "list"));
        ssh.knows("host");
        awaitState(machine, "connected");
    }

    private static void endTunnel(SshServer ssh) {
        var config = ssh.command().split(" ", -1)[2];
        ProcessHandle.allProcesses()
                .filter(each -> each.info().commandLine().orElse("").contains(config + " -T"))
                .forEach(ProcessHandle::destroy);
    }

    private static void awaitState(Machine machine, String state) {
        Eventually.await(
                () -> machine.run("hosts", "list", "--json").contains("\"state\":\"" + state),
                () -> machine.run("hosts", "list"));
    }

    private static List<String> runs(Machine machine, String name) {
        return SecondMachineTest.runs(machine, name);
    }

    /** Nothing is left there, and its token is not valid any more. */
    private static void removed(Machine machine, Path there) {
        assertThat(machine.run(3, "hosts", "remove", "far"))
                .contains(
                        "has directories with work of sessions (1), and runs at work (0)",
                        "--discard");
        machine.run("rm", "root", "--yes", "--now");
        assertThat(machine.run("hosts", "remove", "far", "--discard")).contains("removed far");
        assertThat(there).doesNotExist();
        assertThat(machine.run("runners")).doesNotContain(there.toString());
        assertThat(machine.run("token", "list")).doesNotContain("runner on");
        assertThat(machine.run("hosts", "list")).doesNotContain("far");
    }
}
