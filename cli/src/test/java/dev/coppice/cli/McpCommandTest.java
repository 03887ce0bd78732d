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
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

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
        try (var coordinator =
                Coordinator.start(new SettingsReader(settings).read(), UpCommand.faces())) {
            var token = Files.readString(data.resolve("token")).strip();
            var client = new RawClient(URI.create(coordinator.url()), token);
            client.post(
                    "/sessions", Json.read("{\"session_id\":\"top\",\"session_name\":\"top\"}"));
            client.post("/sessions/top/stop", Json.object());
            var plan = client.get("/sessions/top/removal-plan").body();
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
                                    + "{\"session_id\":\"top\",\"confirm\":\"%s\"},\"_meta\":{\"progressToken\":9}}}"
                                            .formatted(Json.text(plan, "digest")));
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

    /** Creates a session that has ended. */
    private RawClient ended(Coordinator coordinator, String session) throws IOException {
        var token = Files.readString(data.resolve("token")).strip();
        var client = new RawClient(URI.create(coordinator.url()), token);
        client.post("/sessions", Json.read("{\"session_id\":\"%s\"}".formatted(session)));
        client.post("/sessions/" + session + "/stop", Json.object());
        return client;
    }

    /** A program that talks to the bridge line by line. */
    private static final class Program implements AutoCloseable {
        private final PrintStream in;
        private final BlockingQueue<String> out = new LinkedBlockingQueue<>();
        private final Thread bridge;

        Program(Map<String, String> environment) throws IOException {
            var input = new PipedOutputStream();
            this.in = new PrintStream(input, true, StandardCharsets.UTF_8);
            var console =
                    new Console(
                            environment,
                            new PipedInputStream(input),
                            new PrintStream(lines(), true, StandardCharsets.UTF_8),
                            new PrintStream(
                                    OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
            this.bridge = Thread.ofPlatform().start(() -> Main.run(List.of("mcp"), console));
        }

        /** Puts each line that is written into the queue. */
        private OutputStream lines() {
            return new OutputStream() {
                private final ByteArrayOutputStream line = new ByteArrayOutputStream();

                @Override
                public void write(int one) {
                    if (one == '\n') {
                        out.add(line.toString(StandardCharsets.UTF_8));
                        line.reset();
                    } else {
                        line.write(one);
                    }
                }
            };
        }

        void says(String message) {
            in.println(message);
        }

        /** Begins a session of a client that can ask its user. */
        void beginsSession() {
            says(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":"
                            + "{\"protocolVersion\":\"2025-11-25\","
                            + "\"capabilities\":{\"elicitation\":{}}}}");
            hears("result");
        }

        /** The next message that has this field. */
        JsonNode hears(String field) {
            try {
                while (true) {
                    var line = out.poll(20, TimeUnit.SECONDS);
                    if (line == null) throw new AssertionError("no message with " + field);
                    var message = Json.read(line);
                    if (message.has(field)) return message;
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            in.close();
            try {
                bridge.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void the_bridge_carries_questions_and_changes_of_a_session() throws IOException {
        var settings = Map.of("COPPICE_DATA", data.toString(), "COPPICE_PORT", "0");
        try (var coordinator =
                        Coordinator.start(new SettingsReader(settings).read(), UpCommand.faces());
                var program = new Program(Map.of("COPPICE_DATA", data.toString()))) {
            var client = ended(coordinator, "top");
            program.beginsSession();
            program.says(
                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/subscribe\",\"params\":"
                            + "{\"uri\":\"coppice://sessions/top/events\"}}");
            program.hears("result");
            client.post("/sessions/top/events", Json.read("{\"event_type\":\"note\"}"));
            assertThat(Json.text(program.hears("method"), "method"))
                    .isEqualTo("notifications/resources/updated");
            program.says(
                    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":"
                        + "{\"name\":\"delete_session\",\"arguments\":{\"session_id\":\"top\"}}}");
            var asked = program.hears("method");
            while (!"elicitation/create".equals(Json.text(asked, "method"))) {
                asked = program.hears("method");
            }
            program.says(
                    ("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"action\":\"accept\","
                                    + "\"content\":{\"confirm\":true}}}")
                            .formatted(asked.get("id")));
            var deleted = program.hears("result").get("result").get("structuredContent");
            assertThat(deleted.get("success").asBoolean()).isTrue();
        }
    }

    @Test
    void a_cancelled_subscription_ends_and_the_end_of_input_ends_all() throws IOException {
        var settings = Map.of("COPPICE_DATA", data.toString(), "COPPICE_PORT", "0");
        try (var coordinator =
                        Coordinator.start(new SettingsReader(settings).read(), UpCommand.faces());
                var program = new Program(Map.of("COPPICE_DATA", data.toString()))) {
            assertThat(coordinator.url()).isNotBlank();
            for (var id : List.of(1, 2)) {
                program.says(
                        ("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"subscriptions/listen\","
                                        + "\"params\":{\"notifications\":{},%s}}")
                                .formatted(id, LATER));
                assertThat(Json.text(program.hears("method"), "method"))
                        .isEqualTo("notifications/subscriptions/acknowledged");
            }
            program.says(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                            + "\"params\":{\"requestId\":1}}");
            program.says(
                    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"server/discover\",\"params\":{%s}}"
                            .formatted(LATER));
            assertThat(program.hears("result").get("id").asInt()).isEqualTo(3);
        }
    }

    @Test
    void the_bridge_begins_a_session_again_that_the_coordinator_has_forgotten() throws IOException {
        var settings = Map.of("COPPICE_DATA", data.toString(), "COPPICE_PORT", "0");
        var first = Coordinator.start(new SettingsReader(settings).read(), UpCommand.faces());
        var port = String.valueOf(URI.create(first.url()).getPort());
        try (var program = new Program(Map.of("COPPICE_DATA", data.toString()))) {
            program.says(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":"
                            + "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}");
            program.hears("result");
            first.close();
            var same = Map.of("COPPICE_DATA", data.toString(), "COPPICE_PORT", port);
            try (var second =
                    Coordinator.start(new SettingsReader(same).read(), UpCommand.faces())) {
                assertThat(second.url()).isEqualTo(first.url());
                program.says("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
                assertThat(program.hears("result").get("id").asInt()).isEqualTo(2);
            }
        }
    }

    @Test
    void a_question_that_nobody_can_answer_does_not_hold_the_bridge() throws IOException {
        var settings = Map.of("COPPICE_DATA", data.toString(), "COPPICE_PORT", "0");
        try (var coordinator =
                        Coordinator.start(new SettingsReader(settings).read(), UpCommand.faces());
                var program = new Program(Map.of("COPPICE_DATA", data.toString()))) {
            assertThat(ended(coordinator, "top").get("/sessions/top").status()).isEqualTo(200);
            program.beginsSession();
            program.says(
                    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":"
                        + "{\"name\":\"delete_session\",\"arguments\":{\"session_id\":\"top\"}}}");
            program.hears("method");
        }
    }

    @Test
    void a_missing_coordinator_and_a_bad_token_are_answered_as_errors() throws IOException {
        var ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        var absent = Map.of("COPPICE_URL", "http://127.0.0.1:9", "COPPICE_TOKEN", "x");
        var error = answer(answers(absent, ping), 1).get("error");
        assertThat(Json.text(error, "message")).contains("no coordinator answers", "coppice up");
        var settings = Map.of("COPPICE_DATA", data.toString(), "COPPICE_PORT", "0");
        try (var coordinator =
                Coordinator.start(new SettingsReader(settings).read(), UpCommand.faces())) {
            var stranger = Map.of("COPPICE_URL", coordinator.url(), "COPPICE_TOKEN", "x");
            var refusal = answer(answers(stranger, ping), 1).get("error");
            assertThat(Json.text(refusal, "message")).contains("No valid token");
        }
    }
}
