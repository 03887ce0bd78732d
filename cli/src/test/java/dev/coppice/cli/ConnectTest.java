package dev.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.boot.Coordinator;
import dev.coppice.boot.SettingsReader;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.client.RawClient;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.node.ObjectNode;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Coppice in the configuration of agent programs. */
class ConnectTest {
    /** The settings files of programs, in the home directory. */
    private static final Map<String, String> SETTINGS =
            Map.of(
                    "claude-code", ".claude/settings.json",
                    "codex", ".codex/hooks.json",
                    "gemini", ".gemini/settings.json",
                    "cursor", ".cursor/hooks.json");

    @TempDir Path project;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Coordinator coordinator;

    @BeforeEach
    void up() {
        var settings = Map.of("COPPICE_DATA", data().toString(), "COPPICE_PORT", "0");
        coordinator = Coordinator.start(new SettingsReader(settings).read(), UpCommand.faces());
    }

    @AfterEach
    void down() {
        coordinator.close();
    }

    private Path data() {
        return project.resolve("data");
    }

    private Exit connect(String... words) {
        var project = List.of("--project", this.project.toString());
        return connect(
                Map.of("COPPICE_TOKEN", token()),
                Stream.concat(Stream.of(words), project.stream()).toList());
    }

    private String token() {
        try {
            return Files.readString(data().resolve("token")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Exit connect(Map<String, String> more, List<String> words) {
        var environment = new HashMap<>(more);
        environment.put("COPPICE_DATA", data().toString());
        environment.put("COPPICE_URL", coordinator.url());
        environment.put("HOME", project.resolve("home").toString());
        var console =
                new Console(
                        environment,
                        new ByteArrayInputStream(new byte[0]),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        return Main.run(Stream.concat(Stream.of("connect"), words.stream()).toList(), console);
    }

    /** Without a project, the sessions of a person are watched, and nothing else changes. */
    @Test
    void hooks_come_and_go_byte_by_byte() throws IOException {
        for (var each : SETTINGS.entrySet()) {
            var program = each.getKey();
            var file = project.resolve("home").resolve(each.getValue());
            var before = "{\n\t\"mine\" : [ 1,2 ], \"hooks\": {\"Stop\": [{\"x\": 1}]}}";
            Files.createDirectories(file.getParent());
            Files.writeString(file, before);
            assertThat(connect(Map.of(), List.of(program, "--print"))).isEqualTo(Exit.OK);
            assertThat(Files.readString(file)).isEqualTo(before);
            assertThat(connect(Map.of(), List.of(program)))
                    .as(err.toString(StandardCharsets.UTF_8))
                    .isEqualTo(Exit.OK);
            var written = Json.read(Files.readString(file));
            assertThat(written.path("hooks").size()).isGreaterThan(7);
            assertThat(written.path("mine").toString()).isEqualTo("[1,2]");
            assertThat(written.toString()).contains("/hooks/" + program, "{\"x\":1}");
            assertThat(connect(Map.of(), List.of(program))).isEqualTo(Exit.OK);
            assertThat(Files.readString(file)).isEqualTo(Json.pretty(written) + "\n");
            assertThat(connect(Map.of(), List.of(program, "--undo"))).isEqualTo(Exit.OK);
            assertThat(Files.readString(file)).isEqualTo(before);
        }
        assertThat(said()).contains("stays as it is", "/hooks/codex").doesNotContain("issued.");
    }

    /** The files of these programs begin as others may read them, and become so again. */
    @Test
    void no_file_that_others_may_read_holds_a_token() throws IOException {
        var shared = PosixFilePermissions.fromString("rw-r--r--");
        for (var each : SETTINGS.entrySet()) {
            var program = each.getKey();
            var file = project.resolve("home").resolve(each.getValue());
            Files.createDirectories(file.getParent());
            Files.writeString(file, "{}");
            Files.setPosixFilePermissions(file, shared);
            assertThat(connect(Map.of(), List.of(program))).isEqualTo(Exit.OK);
            boolean isClaude = program.equals("claude-code");
            var written = Files.readString(file);
            assertThat(written.contains("issued.")).as(program).isEqualTo(isClaude);
            assertThat(written).doesNotContain("/t/");
            assertThat(Files.getPosixFilePermissions(file))
                    .as(program)
                    .isEqualTo(isClaude ? PosixFilePermissions.fromString("rw-------") : shared);
            try (var ours = Files.list(data().resolve("connect"))) {
                assertThat(ours.toList())
                        .isNotEmpty()
                        .allSatisfy(
                                one -> assertThat(Files.getPosixFilePermissions(one)).hasSize(2));
            }
            assertThat(connect(Map.of(), List.of(program, "--undo"))).isEqualTo(Exit.OK);
            assertThat(Files.getPosixFilePermissions(file)).as(program).isEqualTo(shared);
            try (var ours = Files.list(data().resolve("connect"))) {
                assertThat(ours).isEmpty();
            }
        }
        assertThat(said()).contains("settings.json holds a token now, so only you can read it");
    }

    @Test
    void the_command_of_a_hook_tells_of_its_own_session_and_of_no_other() throws Exception {
        assertThat(connect(Map.of(), List.of("codex"))).isEqualTo(Exit.OK);
        var file = project.resolve("home/.codex/hooks.json");
        var command = Json.read(Files.readString(file)).at("/hooks/SessionStart/0/hooks/0/command");
        var admin = new RawClient(URI.create(coordinator.url()), token());
        admin.post("/sessions", Json.read("{\"session_id\":\"ours\",\"session_name\":\"ours\"}"));
        for (var session : List.of("own", "ours")) {
            // A busy machine may need longer than the second that a program waits.
            var patient = command.asString().replace("-m 1 ", "-m 60 ");
            var shell = new ProcessBuilder("sh", "-c", patient).start();
            try (var in = shell.getOutputStream()) {
                in.write(
                        "{\"session_id\":\"%s\",\"hook_event_name\":\"SessionStart\"}"
                                .formatted(session)
                                .getBytes(StandardCharsets.UTF_8));
            }
            assertThat(shell.waitFor()).isZero();
        }
        assertThat(admin.get("/sessions/own/events").body().toString()).contains("SessionStart");
        assertThat(admin.get("/sessions/ours/events").body().toString())
                .doesNotContain("SessionStart");
    }

    @Test
    void telemetry_comes_and_goes_and_leaves_a_persons_own_collector_alone() throws IOException {
        var file = project.resolve("home/.claude/settings.json");
        Files.createDirectories(file.getParent());
        var before = "{\n\t\"env\": {\"MINE\":\"1\"}}";
        Files.writeString(file, before);
        for (var options : List.of(List.of("--telemetry"), List.of("--telemetry", "--mod"))) {
            var words = Stream.concat(Stream.of("claude-code"), options.stream()).toList();
            assertThat(connect(Map.of(), words)).isEqualTo(Exit.OK);
        }
        var env = Json.read(Files.readString(file)).path("env");
        assertThat(env.path("MINE").asString()).isEqualTo("1");
        assertThat(env.path("OTEL_EXPORTER_OTLP_ENDPOINT").asString()).isEqualTo(coordinator.url());
        assertThat(env.path("OTEL_EXPORTER_OTLP_HEADERS").asString())
                .startsWith("Authorization=Bearer issued.");
        assertThat(connect(Map.of(), List.of("claude-code", "--undo"))).isEqualTo(Exit.OK);
        assertThat(Files.readString(file)).isEqualTo(before);
        var own = "{\"env\":{\"OTEL_EXPORTER_OTLP_ENDPOINT\":\"http://127.0.0.1:4318\"}}";
        Files.writeString(file, own);
        assertThat(connect(Map.of(), List.of("claude-code", "--telemetry"))).isEqualTo(Exit.USAGE);
        assertThat(Files.readString(file)).isEqualTo(own);
        assertThat(connect(Map.of(), List.of("codex", "--telemetry"))).isEqualTo(Exit.USAGE);
    }

    @Test
    void questions_are_held_for_as_long_as_the_person_says() throws IOException {
        var file = project.resolve("home/.claude/settings.json");
        assertThat(connect(Map.of(), List.of("claude-code"))).isEqualTo(Exit.OK);
        assertThat(Files.readString(file)).contains("?hold=300\"").doesNotContain("onFailure");
        assertThat(connect(Map.of(), List.of("claude-code", "--undo"))).isEqualTo(Exit.OK);
        var closed = List.of("claude-code", "--ask", "10m", "--unanswered", "deny");
        assertThat(connect(Map.of(), closed)).isEqualTo(Exit.OK);
        assertThat(Files.readString(file))
                .contains("?hold=600&otherwise=deny\"", "\"onFailure\" : \"block\"");
        assertThat(connect(Map.of(), List.of("claude-code", "--mod"))).isEqualTo(Exit.OK);
        assertThat(Files.readString(file)).contains("?hold=600&otherwise=deny\"", "coppice-local");
        assertThat(connect(Map.of(), List.of("claude-code", "--ask", "20m"))).isEqualTo(Exit.OK);
        assertThat(Files.readString(file)).contains("?hold=1200&otherwise=deny\"");
        for (var bad : List.of("2h", "500ms")) {
            assertThat(connect(Map.of(), List.of("codex", "--ask", bad))).isEqualTo(Exit.USAGE);
        }
        assertThat(connect("claude-code", "--undo")).isEqualTo(Exit.OK);
        assertThat(data().resolve("connect/mod")).isDirectory();
        assertThat(connect(Map.of(), List.of("claude-code", "--undo"))).isEqualTo(Exit.OK);
        assertThat(connect(Map.of(), List.of("claude-code", "--ask", "0s"))).isEqualTo(Exit.OK);
        assertThat(Files.readString(file)).doesNotContain("hold=");
        assertThat(connect(Map.of(), List.of("codex", "--unanswered", "deny"))).isEqualTo(Exit.OK);
        assertThat(Files.readString(project.resolve("home/.codex/hooks.json")))
                .contains("-m 305 ", "exit 2");
        assertThat(connect(Map.of(), List.of("codex", "--unanswered", "x"))).isEqualTo(Exit.USAGE);
    }

    @Test
    void the_plugin_of_opencode_and_the_mod_of_claude_code_are_files_of_their_own()
            throws IOException {
        var plugin = project.resolve("home/.config/opencode/plugin/coppice.js");
        assertThat(connect(Map.of(), List.of("opencode", "--print"))).isEqualTo(Exit.OK);
        assertThat(plugin).doesNotExist();
        assertThat(connect(Map.of(), List.of("opencode"))).isEqualTo(Exit.OK);
        assertThat(Files.readString(plugin))
                .contains("/hooks/opencode\";")
                .doesNotContain("@ADDRESS@");
        assertThat(Files.getPosixFilePermissions(plugin)).hasSize(2);
        assertThat(connect(Map.of(), List.of("opencode", "--undo"))).isEqualTo(Exit.OK);
        assertThat(plugin).doesNotExist();
        Files.writeString(plugin, "export const Mine = 1;");
        assertThat(connect(Map.of(), List.of("opencode"))).isEqualTo(Exit.USAGE);
        assertThat(Files.readString(plugin)).isEqualTo("export const Mine = 1;");
        assertThat(connect(Map.of(), List.of("codex", "--mod"))).isEqualTo(Exit.USAGE);
        var settings = project.resolve("home/.claude/settings.json");
        Files.createDirectories(settings.getParent());
        Files.writeString(settings, "{\"enabledPlugins\": {\"x@y\": true}}");
        assertThat(connect(Map.of(), List.of("claude-code"))).isEqualTo(Exit.OK);
        var modded = List.of("claude-code", "--mod", "--unreachable", "deny");
        assertThat(connect(Map.of(), modded)).isEqualTo(Exit.OK);
        var named = Json.read(Files.readString(settings));
        assertThat(named.at("/enabledPlugins/x@y").asBoolean()).isTrue();
        var mod = named.at("/extraKnownMarketplaces/coppice-local/source/path").asString();
        assertThat(Files.readString(Path.of(mod, "hooks/register.js")))
                .contains("UNREACHABLE = \"deny\"");
        assertThat(connect(Map.of(), List.of("claude-code", "--undo"))).isEqualTo(Exit.OK);
        assertThat(Path.of(mod)).doesNotExist();
        assertThat(Files.readString(settings)).isEqualTo("{\"enabledPlugins\": {\"x@y\": true}}");
    }

    @Test
    void a_link_stays_a_link_and_odd_hooks_are_refused() throws IOException {
        var real = project.resolve("dotfiles.json");
        Files.writeString(real, "{}");
        var link =
                Files.createDirectories(project.resolve("home/.claude")).resolve("settings.json");
        Files.createSymbolicLink(link, real);
        assertThat(connect(Map.of(), List.of("claude-code"))).isEqualTo(Exit.OK);
        assertThat(link).isSymbolicLink();
        assertThat(Files.readString(real)).contains("/hooks/claude-code");
        assertThat(connect(Map.of(), List.of("claude-code", "--undo"))).isEqualTo(Exit.OK);
        assertThat(Files.readString(real)).isEqualTo("{}");
        for (var odd : List.of("{\"hooks\":[]}", "{\"hooks\":{\"Stop\":{}}}", "{\"hooks\":null}")) {
            Files.writeString(real, odd);
            assertThat(connect(Map.of(), List.of("claude-code"))).as(odd).isEqualTo(Exit.USAGE);
            assertThat(Files.readString(real)).isEqualTo(odd);
        }
    }

    @Test
    void what_others_have_changed_since_stays() throws IOException {
        assertThat(connect(Map.of(), List.of("cursor"))).isEqualTo(Exit.OK);
        var file = project.resolve("home/.cursor/hooks.json");
        var changed = (ObjectNode) Json.read(Files.readString(file));
        changed.withObject("/hooks").withArray("/stop").add(Json.object().put("command", "theirs"));
        Files.writeString(file, Json.write(changed));
        assertThat(connect(Map.of(), List.of("cursor", "--undo"))).isEqualTo(Exit.OK);
        assertThat(Json.read(Files.readString(file)))
                .isEqualTo(
                        Json.read(
                                "{\"version\":1,\"hooks\":{\"stop\":[{\"command\":\"theirs\"}]}}"));
        assertThat(connect(Map.of(), List.of("codex"))).isEqualTo(Exit.OK);
        assertThat(connect(Map.of(), List.of("codex", "--undo"))).isEqualTo(Exit.OK);
        assertThat(project.resolve("home/.codex/hooks.json")).doesNotExist();
    }

    @Test
    void what_was_there_stays_and_comes_back() throws IOException {
        var file = project.resolve(".mcp.json");
        var before = "{\"mcpServers\":{\"other\":{\"command\":\"x\"}},\"mine\":[1]}";
        Files.writeString(file, before);
        var shared = PosixFilePermissions.fromString("rw-r--r--");
        Files.setPosixFilePermissions(file, shared);
        assertThat(connect("claude-code", "--print")).isEqualTo(Exit.OK);
        assertThat(Files.readString(file)).isEqualTo(before);
        assertThat(connect("claude-code")).isEqualTo(Exit.OK);
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(shared);
        var written = Json.read(Files.readString(file));
        var ours = written.get("mcpServers").get("coppice");
        assertThat(Json.text(ours, "url")).isEqualTo(coordinator.url() + "/mcp");
        assertThat(ours.get("headers").toString())
                .contains("${COPPICE_TOKEN}", "${AGENT_SESSION_NAME:-}")
                .doesNotContain(token());
        assertThat(connect("claude-code")).isEqualTo(Exit.OK);
        assertThat(said()).contains("\"coppice\" :", "stays as it is");
        assertThat(connect("claude-code", "--undo")).isEqualTo(Exit.OK);
        assertThat(Files.readString(file)).isEqualTo(before);
    }

    @Test
    void a_terminal_without_a_token_is_told_where_it_is() {
        assertThat(connect("cursor")).isEqualTo(Exit.OK);
        assertThat(said()).doesNotContain("export");
        var words = List.of("gemini", "--project", project.toString());
        assertThat(connect(Map.of(), words)).isEqualTo(Exit.OK);
        assertThat(said()).contains("export COPPICE_TOKEN=");
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void every_program_has_its_own_form() throws IOException {
        for (var program : List.of("cursor", "gemini", "opencode")) {
            assertThat(connect(program)).isEqualTo(Exit.OK);
        }
        assertThat(Files.readString(project.resolve(".cursor/mcp.json")))
                .contains("${env:COPPICE_TOKEN}");
        assertThat(Files.readString(project.resolve(".gemini/settings.json"))).contains("httpUrl");
        assertThat(Files.readString(project.resolve("opencode.json")))
                .contains("{env:COPPICE_TOKEN}");
        assertThat(connect("codex")).isEqualTo(Exit.OK);
        assertThat(said()).contains("codex mcp add coppice --url");
    }

    @Test
    void a_file_that_cannot_be_read_is_not_touched() throws IOException {
        var file = project.resolve(".mcp.json");
        Files.writeString(file, "{ // a comment");
        assertThat(connect("claude-code")).isEqualTo(Exit.USAGE);
        assertThat(Files.readString(file)).isEqualTo("{ // a comment");
        assertThat(connect("emacs")).isEqualTo(Exit.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("nothing was changed", "codex, claude-code");
    }
}
