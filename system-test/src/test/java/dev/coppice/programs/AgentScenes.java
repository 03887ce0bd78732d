package dev.coppice.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.house.Sources;
import dev.coppice.scene.Eventually;
import dev.coppice.scene.Temporary;
import dev.coppice.system.Machine;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A machine whose sessions run a real agent program with a scripted model. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AgentScenes {
    /** The variable that names the command of the program, with spaces between its words. */
    private static final String PROGRAM = "TEST_PROGRAM";

    private static final Pattern COMMAND =
            Pattern.compile(
                    "^\\./coppice (blueprints add|start) .*(--kind|--agent) (?!scripted|sh\\b)");

    final ScriptedModel model = new ScriptedModel();
    final Path home = Temporary.directory("coppice-agent-home");
    final Machine machine = new Machine(environment());
    private final String kind;

    /** Returns the scenes of a class, with this command of the program, as tests. */
    static Stream<DynamicTest> of(Class<? extends AgentScenes> scenes, String program) {
        return Offline.tests(scenes, Map.of(PROGRAM, program));
    }

    AgentScenes(String kind) {
        this.kind = kind;
    }

    final Map<String, String> environment() {
        var all = new HashMap<String, String>();
        all.put("HOME", home.toString());
        all.put("PATH", home.resolve("bin") + ":" + System.getenv("PATH"));
        all.put("ANTHROPIC_BASE_URL", model.url());
        all.put("ANTHROPIC_API_KEY", "none");
        all.put("DISABLE_TELEMETRY", "1");
        all.put("DISABLE_AUTOUPDATER", "1");
        all.put("DISABLE_ERROR_REPORTING", "1");
        all.put("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
        all.put("IS_SANDBOX", "1");
        all.put("CLAUDE_CODE_MAX_RETRIES", "0");
        return all;
    }

    @BeforeAll
    void up() {
        machine.up();
    }

    @AfterAll
    void down() {
        machine.close();
        model.close();
    }

    static List<String> program() {
        return List.of(String.valueOf(System.getenv(PROGRAM)).split(" ", -1));
    }

    /** Adds a blueprint of the program with these options. */
    void define(String name, Map<String, ?> options) {
        var blueprint = new LinkedHashMap<String, Object>(options);
        blueprint.put("name", name);
        blueprint.put("kind", kind);
        blueprint.putIfAbsent("command", program());
        machine.post("/agents", Json.write(blueprint));
    }

    /** A program that a person started. */
    record ByHand(Process process, Path output) {
        void awaitGood() throws Exception {
            assertThat(process.waitFor()).as(Files.readString(output)).isZero();
        }
    }

    ByHand byHand(Path project, List<String> arguments) throws IOException {
        return byHand(project, arguments, Map.of());
    }

    ByHand byHand(Path project, List<String> arguments, Map<String, String> more)
            throws IOException {
        return byHand(project, arguments, more, "");
    }

    /** {@code input} is what the program reads. */
    ByHand byHand(Path project, List<String> arguments, Map<String, String> more, String input)
            throws IOException {
        var words = new ArrayList<>(program());
        words.addAll(arguments);
        var builder = new ProcessBuilder(words).directory(project.toFile());
        builder.environment().putAll(environment());
        // OpenCode works in the directory that a shell names here.
        builder.environment().put("PWD", project.toString());
        builder.environment().putAll(more);
        var output = Files.createTempFile(home, "by-hand", ".txt");
        var process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        return new ByHand(process, output);
    }

    /** The one root that observed programs have in the directory of this name. */
    JsonNode observed(String directory) {
        var all = machine.get("/sessions?name=" + directory + "-").get("sessions");
        return all.valueStream()
                .filter(session -> Json.text(session, "parent_session_id") == null)
                .findFirst()
                .orElseThrow();
    }

    static String id(JsonNode session) {
        return String.valueOf(Json.text(session, "session_id"));
    }

    /** The sessions below the one in the directory of this name. */
    JsonNode below(String directory) {
        return machine.get("/sessions/" + id(observed(directory)) + "/descendants")
                .get("descendants");
    }

    /** Starts a program in a new directory. It runs a shell command, and then wants a subagent. */
    interface Starter {
        ByHand start(String directory, String shell) throws Exception;
    }

    /** Sets the budget while the program waits in its shell, so that it gets no subagent after. */
    void assertSubagentsObey(Starter starter) throws Exception {
        var go = home.resolve("go");
        var running = starter.start("spent", Machine.awaiting(go) + "true");
        Eventually.await(
                () -> !machine.get("/sessions?name=spent-").get("sessions").isEmpty(),
                () -> "the session does not appear");
        var spent = id(observed("spent"));
        machine.run("budget", spent, "--sessions", "1");
        Files.createFile(go);
        running.awaitGood();
        assertThat(below("spent")).isEmpty();
        assertThat(machine.run("events", spent)).contains("tool_denied", "1 of 1 sessions used");
    }

    /** Returns the relations of a session as JSON text. */
    String relations(JsonNode session) {
        return machine.get("/sessions/" + Json.text(session, "session_id") + "/relations")
                .toString();
    }

    JsonNode session(String name) {
        return machine.get("/sessions/by-name/" + name).get("session");
    }

    String id(String name) {
        return String.valueOf(Json.text(session(name), "session_id"));
    }

    /** Runs a session to its end, and returns what it printed. */
    String run(String name, String agent, String prompt) {
        return machine.run("start", name, "--agent", agent, "-p", prompt);
    }

    Machine.Program begin(String name, String agent, String prompt) {
        return machine.start("start", name, "--agent", agent, "-p", prompt);
    }

    /** Begins a session at a terminal. */
    Machine.Program watch(String name, String agent, String prompt) {
        var terminal = Map.of("COPPICE_TERMINAL", "12", "LINES", "24", "COLUMNS", "80");
        return machine.startWith(terminal, "start", name, "--agent", agent, "-p", prompt);
    }

    /** Begins a session that may spend ten thousand tokens, and is stopped then. */
    void beginWithBudget(String name, String agent, String prompt) {
        var budget = Map.of("tokens", 10_000, "policy", "stop");
        var run =
                Map.of(
                        "session_name", name,
                        "agent_name", agent,
                        "parameters", Map.of("prompt", prompt),
                        "budget", budget);
        machine.post("/runs", Json.write(run));
    }

    List<JsonNode> events(String name, String type) {
        return machine.get("/sessions/" + id(name) + "/events?limit=200")
                .get("events")
                .valueStream()
                .filter(event -> type.equals(Json.text(event, "event_type")))
                .toList();
    }

    /** The input of the tool that starts a child whose result wakes the session. */
    static String callingBack(String child) {
        return Json.write(
                Map.of(
                        "session_name",
                        child,
                        "agent_name",
                        "scripted",
                        "prompt",
                        "say found by " + child,
                        "mode",
                        "async_callback"));
    }

    /** A prompt that deletes a session. */
    static String deleting(String child) {
        return """
        !call mcp__coppice__delete_session {"session_name": "%s"}
        !say deleted it
        """
                .formatted(child);
    }

    void assertIsRemoved(String name) {
        assertThat(machine.client().get("/sessions/by-name/" + name).status()).isEqualTo(410);
    }

    /** Waits until the result of its child has woken a session, which has ended again. */
    void awaitWoken(String parent, String child) {
        Eventually.await(
                () -> machine.get("/runs?session_id=" + id(parent)).get("runs").size() == 2,
                () -> isThere(parent) ? all(parent) : parent + " is not there");
        machine.awaitState(parent, "finished");
        assertThat(model.heard().getLast()).contains("found by " + child);
        assertThat(Json.text(session(child), "parent_session_name")).isEqualTo(parent);
    }

    void awaitEvent(String name, String type) {
        awaitEvents(name, type, 1);
    }

    void awaitEvents(String name, String type, int count) {
        Eventually.await(
                () -> isThere(name) && events(name, type).size() >= count,
                () -> isThere(name) ? all(name) : name + " is not there");
    }

    private String all(String name) {
        return machine.get("/sessions/" + id(name) + "/events?limit=200").toString();
    }

    private boolean isThere(String name) {
        return machine.client().get("/sessions/by-name/" + name).isGood();
    }

    /** The children of a session. */
    JsonNode children(String name) {
        return machine.get("/sessions/" + id(name) + "/children").get("children");
    }

    /** Runs the commands of a page that add blueprints and start sessions, as they are written. */
    String page(String file, String program) throws IOException {
        var command = Files.createDirectories(home.resolve("bin")).resolve(program);
        Files.writeString(command, "#!/bin/sh\nexec %s \"$@\"\n".formatted(System.getenv(PROGRAM)));
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
        var lines =
                Files.readString(Sources.ROOT.resolve(file))
                        .lines()
                        .filter(line -> COMMAND.matcher(line).find())
                        .toList();
        assertThat(lines).hasSizeGreaterThan(1);
        var ran = machine.shell(String.join("\n", lines), Map.of());
        assertThat(ran.awaitExit()).as(ran.text()).isZero();
        return ran.text();
    }
}
