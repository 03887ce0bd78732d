package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

    @Test
    void a_process_out_of_memory_exits_and_the_next_start_loses_nothing() {
        try (var machine = new Machine()) {
            var small = Map.of("COPPICE_JAVA_OPTS", "-Xmx40m");
            var up = Machine.ready(machine.launch(small, "up", "--port", "0"));
            assertThat(up.process().info().commandLine().orElse("")).contains(OUT_OF_MEMORY);
            machine.run("start", "works", "--mode", "async_poll", "-p", "hang");
            machine.awaitAtWork("works");
            var large = Json.object().put("event_type", "note").put("text", "x".repeat(15_000_000));
            var path = "/sessions/" + session(machine) + "/events";
            for (int i = 0; i < 20 && up.process().isAlive(); i++) sent(machine, path, large);
            assertThat(up.awaitExit()).isEqualTo(EXIT_OUT_OF_MEMORY);
            Machine.ready(machine.launch(Map.of(), "up", "--port", "0"));
            machine.awaitState("works", "running");
            machine.run("stop", "works");
            machine.awaitState("works", "stopped");
        }
    }

    private static String session(Machine machine) {
        var works = machine.get("/sessions/by-name/works").get("session");
        return String.valueOf(Json.text(works, "session_id"));
    }

    private static void sent(Machine machine, String path, JsonNode event) {
        try {
            machine.client().post(path, event);
        } catch (dev.coppice.client.CoppiceClient.Unreachable _) {
            // The coordinator exited while it read the request.
        }
    }
}
