package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.scene.Temporary;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Agent programs that Coppice did not start are found, taken into trees, watched and stopped. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdoptTest {
    private final Machine machine = new Machine();
    private final List<Process> started = new ArrayList<>();

    @BeforeAll
    void start() {
        machine.up();
    }

    @AfterAll
    void stop() {
        for (var process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        machine.close();
    }

    /** Starts a process that bears the name of a program, with these commands. */
    private Process program(Path directory, String name, String commands) throws IOException {
        var line = "exec -a %s bash -c '%s'".formatted(name, commands);
        var builder = new ProcessBuilder("bash", "-c", line).directory(directory.toFile());
        var process = builder.start();
        started.add(process);
        var pid = Long.toString(process.pid());
        Eventually.await(() -> machine.run("adopt", "--all").contains(pid), () -> "not found");
        return process;
    }

    /** A directory with a repository of git, in which nothing is committed. */
    private static Path repository(String name) throws Exception {
        var directory = Temporary.directory(name);
        var init = new ProcessBuilder("git", "init", "-q").directory(directory.toFile()).start();
        assertThat(init.waitFor()).isZero();
        return directory;
    }

    /** Adopts a process, and returns the name of its session. */
    private String adopt(Process process, String... options) {
        var words = new ArrayList<>(List.of("adopt", Long.toString(process.pid()), "--json"));
        words.addAll(List.of(options));
        var adopted = Json.read(machine.run(words.toArray(new String[0])));
        return String.valueOf(Json.text(adopted.get("session"), "session_name"));
    }

    private JsonNode processes(String name) {
        return machine.get("/processes?session_id=" + id(name)).get("processes");
    }

    private String id(String name) {
        var session = machine.get("/sessions/by-name/" + name).get("session");
        return String.valueOf(Json.text(session, "session_id"));
    }

    @Test
    void a_running_program_is_taken_in_and_ends_with_its_process() throws Exception {
        var directory = Temporary.directory("found");
        var process = program(directory, "codex", "sleep 600; true");
        var pid = Long.toString(process.pid());
        assertThat(machine.run("adopt")).contains(pid, "codex", directory.toString());
        assertThat(machine.run("adopt", pid)).contains("codex " + pid, "leaves its process alone");
        assertThat(machine.run("adopt")).doesNotContain(pid);
        var name = Json.text(machine.get("/processes").get("processes").get(0), "session_name");
        assertThat(name).startsWith("found");
        assertThat(machine.run("adopt", "--all")).contains(String.valueOf(name));
        // Its own program says nothing of its end.
        process.destroyForcibly().waitFor();
        machine.awaitState(String.valueOf(name), "finished");
        assertThat(machine.run("show", String.valueOf(name))).contains("process " + pid);
    }

    @Test
    void a_stop_ends_a_process_only_if_the_person_allows_it() throws Exception {
        var process = program(Temporary.directory("mine"), "gemini", "sleep 600; true");
        var name = adopt(process);
        machine.run("stop", name);
        assertThat(process.isAlive()).isTrue();
        assertThat(machine.state(name)).isEqualTo("stopped");
        var child = process.descendants().findFirst().orElseThrow();
        assertThat(adopt(process, "--stop")).isEqualTo(name);
        machine.run("stop", name);
        process.waitFor();
        Eventually.await(() -> !child.isAlive(), () -> "its child lives");
        Eventually.await(() -> processes(name).isEmpty(), () -> processes(name).toString());
        assertThat(machine.state(name)).isEqualTo("stopped");
    }

    @Test
    void a_program_that_ignores_a_stop_is_killed() throws Exception {
        var deaf = "trap \"\" TERM; while true; do sleep 0.1; done";
        var process = program(Temporary.directory("deaf"), "opencode", deaf);
        var name = adopt(process, "--stop");
        machine.run("stop", name, "--deadline", "1s");
        process.waitFor();
        machine.awaitState(name, "stopped");
    }

    @Test
    void a_program_below_an_adopted_one_is_its_child() throws Exception {
        var line = "exec -a codex sleep 600";
        var top = program(Temporary.directory("nest"), "claude", "bash -c \"" + line + "\"; true");
        var name = adopt(top);
        Eventually.await(
                () -> machine.run("adopt").contains("codex"), () -> machine.run("adopt", "--all"));
        var below = top.descendants().toList().getLast().pid();
        machine.run("adopt", Long.toString(below));
        assertThat(machine.run("children", name)).contains("nest");
    }

    @Test
    void a_removal_looks_after_the_work_of_an_adopted_program() throws Exception {
        var directory = repository("kept");
        Files.writeString(directory.resolve("notes.txt"), "unsaved");
        var name = adopt(program(directory, "cursor-agent", "sleep 600; true"), "--stop");
        assertThat(machine.run("rm", name, "--dry-run", "--stop"))
                .contains("1 untracked", "cursor", "ends with its session");
        machine.run("rm", name, "--yes", "--stop");
        assertThat(directory.resolve("notes.txt")).exists();
        assertThat(machine.run("work", "list", name)).contains(directory.toString());
        assertThat(started.getLast().isAlive()).isFalse();
    }

    /** Connected programs name the process that runs their hooks. */
    @Test
    void a_hook_names_the_process_of_its_session() throws Exception {
        var directory = Temporary.directory("hooked");
        var process = program(directory, "codex", "sleep 600; true");
        var hook =
                Map.of(
                        "hook_event_name", "SessionStart",
                        "session_id", "hooked",
                        "cwd", directory.toString());
        hook(Json.write(hook), process.pid());
        Eventually.await(
                () -> machine.get("/processes?session_id=hooked").toString().contains("start\":\""),
                () -> machine.get("/processes").toString());
        process.destroyForcibly().waitFor();
        Eventually.await(
                () -> machine.get("/sessions/hooked").toString().contains("has ended"),
                () -> machine.get("/sessions/hooked").toString());
        // A number that is no such program is dropped, and ends nothing.
        hook(Json.write(hook), ProcessHandle.current().pid());
        Eventually.await(
                () -> machine.get("/processes?session_id=hooked").get("processes").isEmpty(),
                () -> machine.get("/processes").toString());
        var session = machine.get("/sessions/hooked").get("session");
        assertThat(Json.text(session, "state")).isEqualTo("running");
    }

    private void hook(String body, long pid) throws Exception {
        var curl =
                new ProcessBuilder(
                        "curl",
                        "-sf",
                        "-H",
                        "Authorization: Bearer " + machine.read("token").strip(),
                        "-H",
                        "X-Agent-Pid: " + pid,
                        "-d",
                        body,
                        machine.url() + "/hooks/codex");
        assertThat(curl.start().waitFor()).isZero();
    }

    @Test
    void a_declared_session_has_its_directory_looked_after() throws Exception {
        var directory = repository("declared");
        Files.writeString(directory.resolve("draft.txt"), "unsaved");
        var body = Map.of("session_name", "declared", "project_dir", directory.toString());
        machine.post("/sessions", Json.write(body));
        assertThat(machine.run("rm", "declared", "--dry-run")).contains("1 untracked");
    }

    @Test
    void what_cannot_be_adopted_is_refused() throws Exception {
        assertThat(machine.run(2, "adopt", "x")).contains("'x' is no process id");
        var other = new ProcessBuilder("sleep", "600").start();
        started.add(other);
        assertThat(machine.run(2, "adopt", Long.toString(other.pid())))
                .contains("no agent program");
        machine.run("start", "ours", "--mode", "async_poll", "-p", "hang");
        machine.awaitState("ours", "running");
        var adopt =
                Map.of(
                        "program", "codex",
                        "pid", other.pid(),
                        "start", "boot:1",
                        "project_dir", "/tmp",
                        "session_id", id("ours"));
        assertThat(machine.refused("/processes", Json.write(adopt)).error()).contains(id("ours"));
    }
}
