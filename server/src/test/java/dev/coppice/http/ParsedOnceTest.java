package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Temporary;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The work for one request parses its body, and no text a second time. The virtual machine counts
 * the parsers that are made, so that no call can go unnoticed.
 */
@Isolated("counts for the whole process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ParsedOnceTest {
    private static final String PARSERS =
            "tools.jackson.core.json.ReaderBasedJsonParser::<init>"
                    + ";tools.jackson.core.json.UTF8StreamJsonParser::<init>";

    private final Caller server = new Caller();

    @BeforeAll
    void define() {
        server.post(
                "/agents",
                "{\"name\":\"plain\",\"kind\":\"command\","
                    + "\"command\":[\"true\",\"${params.prompt}\"],"
                    + "\"silence_max\":\"1m\",\"tags\":[\"a\"],\"demands\":{\"tags\":[\"t\"]}}");
        server.post(
                "/agents",
                "{\"name\":\"checked\",\"kind\":\"command\",\"command\":[\"true\"],"
                        + "\"parameters_schema\":{\"type\":\"object\",\"required\":[\"n\"],"
                        + "\"properties\":{\"n\":{\"type\":\"integer\"}}}}");
        server.post(
                "/mcp-servers",
                "{\"id\":\"docs\",\"name\":\"docs\",\"description\":\"d\","
                        + "\"url\":\"https://docs.example/mcp\"}");
        server.post(
                "/capabilities",
                "{\"name\":\"polite\",\"description\":\"d\",\"text\":\"Be polite.\"}");
        server.post(
                "/agents",
                "{\"name\":\"able\",\"kind\":\"command\",\"command\":[\"true\"],"
                        + "\"capabilities\":[\"polite\"],"
                        + "\"mcp_servers\":{\"d\":{\"ref\":\"docs\"}}}");
        // Compiles the schemas, and reads the files.
        start("plain", "first-plain", "{\"prompt\":\"x\"}", "");
        start("checked", "first-checked", "{\"n\":1}", "");
        start("able", "first-able", "{\"prompt\":\"x\"}", "");
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private void start(String agent, String session, String parameters, String more) {
        server.post(
                "/runs",
                "{\"agent_name\":\"%s\",\"session_id\":\"%s\",\"parameters\":%s%s}"
                        .formatted(agent, session, parameters, more));
    }

    private int send(String method, String path, String body) {
        var headers = Map.of("Authorization", "Bearer " + server.token());
        return server.send(method, path, body, headers).status();
    }

    private int hook(String body) {
        return send("POST", "/hooks/claude-code", body);
    }

    @Test
    void a_start_parses_its_body_only() {
        assertThat(parsed(() -> start("plain", "a", "{\"prompt\":\"x\"}", ",\"scope\":{\"s\":1}")))
                .isEqualTo(1);
    }

    @Test
    void a_start_with_a_schema_parses_its_body_only() {
        assertThat(parsed(() -> start("checked", "b", "{\"n\":7}", ""))).isEqualTo(1);
    }

    @Test
    void a_start_below_a_session_parses_the_scope_that_it_inherits() {
        start("plain", "above", "{\"prompt\":\"x\"}", ",\"scope\":{\"s\":1}");
        var below = ",\"parent_session_id\":\"above\",\"scope\":{\"t\":2}";
        assertThat(parsed(() -> start("plain", "below", "{\"prompt\":\"x\"}", below))).isEqualTo(2);
    }

    @Test
    void a_definition_with_references_is_parsed_once_to_resolve_them() {
        assertThat(parsed(() -> start("able", "c", "{\"prompt\":\"x\"}", ""))).isEqualTo(2);
        var run = server.get("/runs?session_id=c").get("runs").get(0);
        assertThat(text(run, "agent_name")).isEqualTo("able");
    }

    @Test
    void an_event_of_a_program_is_parsed_once_and_stored_as_it_came() {
        var sent =
                "{ \"hook_event_name\": \"PreToolUse\", \"session_id\": \"raw\","
                        + " \"tool_name\": \"Bash\",  \"tool_input\": {\"command\": \"ls\"} }";
        assertThat(parsed(() -> hook(sent))).isEqualTo(1);
        assertThat(server.stored("SELECT body FROM event WHERE type LIKE '%PreToolUse'"))
                .endsWith("\"payload\":" + sent + "}");
    }

    @Test
    void an_event_of_a_sender_is_parsed_once() {
        var sent =
                "{\"source_app\":\"app\",\"session_id\":\"sent\",\"hook_event_type\":\"Stop\","
                        + "\"payload\":{\"hook_event_name\":\"Stop\"},\"humanInTheLoop\":"
                        + "{\"responseWebSocketUrl\":\"ws://localhost:9/\"}}";
        assertThat(parsed(() -> send("POST", "/events", sent))).isEqualTo(1);
    }

    /** A body with so many levels fits into no event, which must be readable again. */
    @Test
    void an_event_of_a_program_that_is_too_deep_is_refused() {
        for (int levels : List.of(198, 199)) {
            var sent =
                    "{\"hook_event_name\":\"Stop\",\"session_id\":\"deep\",\"x\":%s1%s}"
                            .formatted("[".repeat(levels), "]".repeat(levels));
            assertThat(hook(sent)).isEqualTo(levels == 198 ? 200 : 400);
        }
        assertThat(send("GET", "/sessions/deep/events", "")).isEqualTo(200);
    }

    /** Returns how many parsers the server has made for the requests. */
    private static long parsed(Runnable requests) {
        var file = Temporary.directory("parsed").resolve("parsers.jfr");
        try (var recording = new Recording()) {
            recording.enable("jdk.MethodTrace").with("filter", PARSERS).withStackTrace();
            recording.start();
            requests.run();
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event ->
                            event.getStackTrace().getFrames().stream()
                                    .anyMatch(ParsedOnceTest::isOfServer))
                    .count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A check against a schema has its own thread. */
    private static boolean isOfServer(RecordedFrame frame) {
        var type = frame.getMethod().getType().getName();
        return type.startsWith("dev.coppice.web.") || type.startsWith("dev.coppice.blueprints.");
    }
}
