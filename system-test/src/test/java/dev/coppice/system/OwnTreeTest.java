package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Temporary;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sessions that work in work trees of their own, and agents that get a part of the environment. */
class OwnTreeTest {
    private static String git(Path directory, String... words) throws Exception {
        var line = new ArrayList<>(List.of("git", "-C", directory.toString()));
        line.addAll(List.of("-c", "user.name=a", "-c", "user.email=a@b"));
        line.addAll(List.of(words));
        var process = new ProcessBuilder(line).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.strip();
    }

    private static Path repository() throws Exception {
        var top = Temporary.directory("coppice-project");
        git(top, "init", "--quiet", "--initial-branch=main", ".");
        Files.writeString(Files.createDirectories(top.resolve("part")).resolve("file"), "one\n");
        Files.writeString(top.resolve(".gitattributes"), "file filter=evil\n");
        git(top, "add", ".");
        git(top, "commit", "--quiet", "-m", "first");
        // A checkout by git itself would run this hook and this filter.
        var hook = top.resolve(".git/hooks/post-checkout");
        Files.writeString(hook, "#!/bin/sh\ntouch '%s/ran'\n".formatted(top));
        hook.toFile().setExecutable(true);
        git(top, "config", "filter.evil.smudge", "touch '%s/ran'; cat".formatted(top));
        return top;
    }

    private static void start(Machine machine, String name, String prompt, Path in) {
        machine.run("start", name, "--agent", "own", "--project-dir", in.toString(), "-p", prompt);
    }

    @Test
    void sessions_of_one_project_do_not_share_its_files() throws Exception {
        var top = repository();
        try (var machine = new Machine()) {
            machine.up();
            var own = Map.of("name", "own", "command", List.of("bash", "-e"), "worktree", true);
            machine.post("/agents", Json.write(own));
            var part = top.resolve("part");
            var work =
                    "echo %1$s > file; git add file; git -c user.name=a -c user.email=a@b commit"
                            + " -qm %1$s; echo rest > loose; basename $PWD";
            start(machine, "red", work.formatted("red"), part);
            start(machine, "blue", work.formatted("blue"), part);
            assertThat(machine.run("result", "red")).contains("part");
            assertThat(Files.readString(part.resolve("file"))).isEqualTo("one\n");
            assertThat(top.resolve("ran")).doesNotExist();
            assertThat(git(top, "show", "coppice/red:part/file")).isEqualTo("red");
            assertThat(git(top, "show", "coppice/blue:part/file")).isEqualTo("blue");
            assertThat(machine.run("resume", "red", "-p", "cat loose file"))
                    .contains("rest", "red");
            assertThat(git(top, "status", "--porcelain")).isEmpty();
            machine.run("rm", "red", "--yes");
            machine.run("undo", "red");
            assertThat(machine.run("resume", "red", "-p", "cat loose")).contains("rest");
        }
    }

    @Test
    void a_project_without_a_repository_is_refused() throws IOException {
        var bare = Temporary.directory("coppice-bare");
        try (var machine = new Machine()) {
            machine.up();
            var own = Map.of("name", "own", "command", List.of("bash"), "worktree", true);
            machine.post("/agents", Json.write(own));
            var refused =
                    machine.start(
                            "start",
                            "no",
                            "--agent",
                            "own",
                            "--project-dir",
                            bare.toString(),
                            "-p",
                            "ls");
            assertThat(refused.awaitExit()).isNotZero();
            assertThat(refused.text()).contains("is in no git work tree");
        }
    }

    @Test
    void an_agent_gets_the_variables_that_its_blueprint_names() {
        try (var machine = new Machine(Map.of("SECRET_KEY", "s", "MY_ONE", "1", "MY_TWO", "2"))) {
            machine.up();
            var some =
                    Map.of(
                            "name",
                            "some",
                            "command",
                            List.of("bash"),
                            "env_allow",
                            List.of("MY_*"));
            machine.post("/agents", Json.write(some));
            var seen = machine.run("start", "seen", "--agent", "some", "-p", "env");
            assertThat(seen)
                    .contains("MY_ONE=1", "MY_TWO=2", "PATH=", "COPPICE_TOKEN=")
                    .doesNotContain("SECRET_KEY");
        }
    }

    @Test
    void a_program_that_is_not_installed_is_named() {
        try (var machine = new Machine()) {
            machine.up();
            machine.run("blueprints", "add", "absent", "--kind", "acp", "--", "no-such-agent");
            var failed = machine.start("start", "none", "--agent", "absent", "-p", "x");
            assertThat(failed.awaitExit()).isNotZero();
            assertThat(failed.text()).contains("no-such-agent cannot be started; is it installed");
        }
    }
}
