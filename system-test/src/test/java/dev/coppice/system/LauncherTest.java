package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.house.Sources;
import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The launcher sets the locale and makes the process exit when memory runs out. */
class LauncherTest {
    private static final String OUT_OF_MEMORY = "-XX:+ExitOnOutOfMemoryError";
    private static final int EXIT_OUT_OF_MEMORY = 3;

    /** The JVM of this test may not support such names, so a shell reads the files. */
    @Test
    void non_ascii_names_work_in_an_ascii_locale() throws IOException {
        var locale = Map.of("LC_ALL", "C");
        try (var machine = new Machine(locale)) {
            Machine.ready(machine.launch(Map.of(), "up", "--port", "0"));
            machine.post("/agents", "{\"name\":\"sh\",\"kind\":\"command\",\"command\":[\"sh\"]}");
            var first =
                    ended(machine, "one", null, "mkdir käse; echo x >grün.txt; echo \"$LC_ALL\"");
            assertThat(first).as("the agent's own locale").isEqualTo("C");
            var place = machine.data() + "/runner/work/one/käse";
            assertThat(ended(machine, "two", place, "basename \"$PWD\"")).isEqualTo("käse");
            machine.run("rm", "two", "--yes", "--now");
            var plan = machine.launch(Map.of(), "rm", "one", "--yes", "--now");
            assertThat(plan.awaitExit()).as(plan.text()).isZero();
            var into = machine.data().resolve("again").toString();
            var restored = machine.launch(Map.of(), "work", "restore", "one", "--into", into);
            assertThat(restored.awaitExit()).as(restored.text()).isZero();
            assertThat(read("cat " + into + "/gr*n.txt; ls " + into)).contains("x", "grün.txt");
        }
    }

    private static String ended(Machine machine, String name, String place, String script) {
        var request =
                Json.object()
                        .put("session_id", name)
                        .put("session_name", name)
                        .put("agent_name", "sh")
                        .put("project_dir", place)
                        .put("prompt", script);
        machine.post("/runs?wait=60s", request.toString());
        return machine.run("result", name).strip();
    }

    private static String read(String script) throws IOException {
        var process = new ProcessBuilder("sh", "-c", script).start();
        try (var out = process.getInputStream()) {
            return new String(out.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /**
     * No request takes all memory ({@link MemoryTest}), so here even the start finds too little.
     */
    @Test
    void a_process_out_of_memory_exits_and_the_next_start_loses_nothing() {
        try (var machine = new Machine()) {
            var first = Machine.ready(machine.launch(Map.of(), "up", "--port", "0"));
            assertThat(first.process().info().commandLine().orElse("")).contains(OUT_OF_MEMORY);
            machine.run("start", "works", "--mode", "async_poll", "-p", "hang");
            machine.awaitAtWork("works");
            first.process().destroyForcibly();
            first.awaitExit();
            var small = Map.of("COPPICE_JAVA_OPTS", "-Xms4m -Xmx8m");
            var up = machine.launch(small, "up", "--port", "0");
            assertThat(up.awaitExit()).as(up.text()).isEqualTo(EXIT_OUT_OF_MEMORY);
            Machine.ready(machine.launch(Map.of(), "up", "--port", "0"));
            machine.awaitState("works", "running");
            machine.run("stop", "works");
            machine.awaitState("works", "stopped");
        }
    }

    /** A checkout that is not built yet, with a Maven that prints what the real one prints. */
    private static Path unbuilt(Machine machine) throws IOException {
        var home = Files.createDirectories(machine.data().resolve("checkout/cli")).getParent();
        Files.copy(Sources.ROOT.resolve("coppice"), home.resolve("coppice"));
        Files.createFile(home.resolve("pom.xml"));
        for (var module :
                List.of("core", "threads", "store", "wire", "server", "originals", "runner")) {
            Files.createDirectories(home.resolve(module));
        }
        var maven = Files.createDirectories(machine.data().resolve("bin")).resolve("mvn");
        Files.writeString(
                maven,
                """
                #!/bin/sh
                echo "$*" >>%1$s/maven-calls
                for module in core wire cli; do
                  echo "[INFO] Building coppice-$module 0.1.0    [1/3]"
                  [ ! -e %1$s/slow ] || while [ -e %1$s/slow ]; do sleep 0.05; done
                done
                [ ! -e %1$s/broken ] || { echo "[ERROR] it does not compile"; exit 1; }
                echo "[INFO] BUILD SUCCESS"
                mkdir -p cli/target/lib
                """
                        .formatted(machine.data()));
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));
        return home;
    }

    private static Machine.Program up(Machine machine, Path home, String... more) {
        var line = new ArrayList<>(List.of("sh", home.resolve("coppice").toString(), "up"));
        line.addAll(List.of(more));
        var path = machine.data().resolve("bin") + ":" + System.getenv("PATH");
        return machine.begin(
                line, Map.of("PATH", path, "COPPICE_JAVA_HOME", System.getProperty("java.home")));
    }

    private static long builds(Machine machine) throws IOException {
        var calls = machine.data().resolve("maven-calls");
        return Files.exists(calls) ? Files.readAllLines(calls).size() : 0;
    }

    @Test
    void line_9_a_first_start_names_each_module_and_builds_no_tests() throws IOException {
        try (var machine = new Machine()) {
            var home = unbuilt(machine);
            // Nothing was really built, so the program is missing; the build came before.
            var up = up(machine, home, "--port", "0");
            up.awaitExit();
            assertThat(up.text())
                    .contains("building;")
                    .containsPattern("  core, \\d+ s\n  wire, \\d+ s\n  cli, \\d+ s\n");
            var call = Files.readString(machine.data().resolve("maven-calls"));
            assertThat(call).contains("-Dproduct").doesNotContain("-DskipTests");
            var pom = Files.readString(Sources.ROOT.resolve("pom.xml"));
            assertThat(pom.substring(0, pom.indexOf("<profiles>")))
                    .as("what a build without the profile of checks resolves")
                    .doesNotContain("<scope>test</scope>", "error_prone_core", "select-jdk");
        }
    }

    @Test
    void line_9_a_second_build_waits_for_the_first_and_then_has_nothing_to_do() throws IOException {
        try (var machine = new Machine()) {
            var home = unbuilt(machine);
            var slow = Files.createFile(machine.data().resolve("slow"));
            var first = up(machine, home, "--port", "0");
            Eventually.await(() -> built(machine) == 1, first::text);
            var second = up(machine, home, "--port", "0");
            Eventually.await(
                    () -> second.text().contains("another build of this checkout is running"),
                    second::text);
            Files.delete(slow);
            first.awaitExit();
            second.awaitExit();
            assertThat(builds(machine)).isOne();
        }
    }

    private static long built(Machine machine) {
        try {
            return builds(machine);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void line_9_a_taken_port_is_refused_before_anything_is_built() throws IOException {
        try (var machine = new Machine();
                var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var home = unbuilt(machine);
            var port = Integer.toString(taken.getLocalPort());
            for (var option : List.of(List.of("--port", port), List.of("--port=" + port))) {
                var up = up(machine, home, option.toArray(String[]::new));
                assertThat(up.awaitExit()).isEqualTo(9);
                assertThat(up.text()).contains("port " + port + " on 127.0.0.1 is taken");
            }
            assertThat(builds(machine)).isZero();
        }
    }

    @Test
    void line_9_a_failed_build_says_why_and_where_its_log_is() throws IOException {
        try (var machine = new Machine()) {
            var home = unbuilt(machine);
            Files.createFile(machine.data().resolve("broken"));
            var up = up(machine, home, "--port", "0");
            assertThat(up.awaitExit()).isEqualTo(70);
            assertThat(up.text()).contains("it does not compile", "target/build.log");
        }
    }
}
