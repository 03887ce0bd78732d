package dev.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.boot.Coordinator;
import dev.coppice.boot.SettingsReader;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.client.RawClient;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The MCP bridge on standard input and output, with a coordinator behind it. */
class McpCommandTest {
    private static final String LATER =
            "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                    + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

    @TempDir Path data;

    private static List<JsonNode> answers(Map<String, String> environment, String... lines) {
        var out = new ByteArrayOutputStream();
        var in = String.join("\n", lines) + "\n";
        var console =
                new Console(
                        environment,
                        new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
        assertThat(Main.run(List.of("mcp"), console)).isEqualTo(Exit.OK);
        return out.toString(StandardCharsets.UTF_8).lines().map(Json::read).toList();
    }

    private static JsonNode answer(List<JsonNode> all, int id) {
        return all.stream().filter(m -> m.path("id").asInt(-1) == id).findFirst().orElseThrow();
    }

    @Test
    void the_bridge_deletes_a_session_and_undoes_the_deletion() throws IOException {
        var settings = Map.of("COPPICE_DATA", data.toString(), "COPPICE_PORT", "0");
        try (var coordinator = Coordinator.start(new SettingsReader(settings).read())) {
            var token = Files.readString(data.resolve("token")).strip();
            var client = new RawClient(URI.create(coordinator.url()), token);
            client.post(
                    "/sessions", Json.read("{\"session_id\":\"top\",\"session_name\":\"top\"}"));
            client.post("/sessions/top/stop", Json.object());
            var here = Map.of("COPPICE_DATA", data.toString());
            var answers =
                    answers(
                            here,
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":"
                                    + "{\"protocolVersion\":\"2025-06-18\"}}",
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
                            "",
                            "nonsense",
                            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":"
                                    + "{\"name\":\"delete_session\",\"arguments\":"
                                    + "{\"session_id\":\"top\"},\"_meta\":{\"progressToken\":9}}}");
            var begun = answer(answers, 1).get("result");
            assertThat(Json.text(begun, "protocolVersion")).isEqualTo("2025-06-18");
            assertThat(answers)
                    .anySatisfy(
                            m -> assertThat(m.path("error").path("code").asInt()).isEqualTo(-32700))
                    .anySatisfy(m ->
                            assertThat(m.path("params").path("progress").asInt()).isEqualTo(100));
            var deleted = answer(answers, 2).get("result").get("structuredContent");
            assertThat(deleted.get("success").asBoolean()).as(deleted.toString()).isTrue();
            assertThat(client.get("/sessions/top").status()).isEqualTo(410);
            var removal = Json.text(deleted, "removal_id");
            var undone =
                    answers(
                            here,
                            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":"
                                    + "{\"name\":\"undo_deletion\",\"arguments\":"
                                    + "{\"removal_id\":\""
                                    + removal
                                    + "\"},"
                                    + LATER
                                    + "}}");
            var result = answer(undone, 3).get("result");
            assertThat(Json.text(result, "resultType")).isEqualTo("complete");
            assertThat(client.get("/sessions/top").status()).isEqualTo(200);
            assertThat(client.get("/fsck").body().get("ok").asBoolean()).isTrue();
        }
    }

    @Test
    void a_missing_coordinator_and_a_bad_token_are_answered_as_errors() throws IOException {
        var ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        var absent = Map.of("COPPICE_URL", "http://127.0.0.1:9", "COPPICE_TOKEN", "x");
        var error = answer(answers(absent, ping), 1).get("error");
        assertThat(Json.text(error, "message")).contains("no coordinator answers", "coppice up");
        var settings = Map.of("COPPICE_DATA", data.toString(), "COPPICE_PORT", "0");
        try (var coordinator = Coordinator.start(new SettingsReader(settings).read())) {
            var stranger = Map.of("COPPICE_URL", coordinator.url(), "COPPICE_TOKEN", "x");
            var refusal = answer(answers(stranger, ping), 1).get("error");
            assertThat(Json.text(refusal, "message")).contains("No valid token");
        }
    }
}
