package dev.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Coppice in the configuration of agent programs. */
class ConnectTest {
    @TempDir Path project;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Exit connect(String... words) {
        return connect(
                Map.of("COPPICE_URL", "http://127.0.0.1:1", "COPPICE_TOKEN", "secret"), words);
    }

    private Exit connect(Map<String, String> environment, String... words) {
        var console =
                new Console(
                        environment,
                        new ByteArrayInputStream(new byte[0]),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        var all = Stream.concat(Stream.of("connect"), Stream.of(words));
        return Main.run(
                Stream.concat(all, Stream.of("--project", project.toString())).toList(), console);
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
        assertThat(Json.text(ours, "url")).isEqualTo("http://127.0.0.1:1/mcp");
        assertThat(ours.get("headers").toString())
                .contains("${COPPICE_TOKEN}", "${AGENT_SESSION_NAME:-}")
                .doesNotContain("secret");
        assertThat(connect("claude-code")).isEqualTo(Exit.OK);
        assertThat(said()).contains("+ \"coppice\"", "stays as it is");
        assertThat(connect("claude-code", "--undo")).isEqualTo(Exit.OK);
        assertThat(Json.read(Files.readString(file))).isEqualTo(Json.read(before));
    }

    @Test
    void a_terminal_without_a_token_is_told_where_it_is() {
        assertThat(connect("cursor")).isEqualTo(Exit.OK);
        var url = Map.of("COPPICE_URL", "http://127.0.0.1:1");
        assertThat(said()).doesNotContain("export");
        assertThat(connect(url, "gemini")).isEqualTo(Exit.OK);
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
