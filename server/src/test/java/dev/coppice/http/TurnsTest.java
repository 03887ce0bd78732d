package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The turns of a session: of events of any shape, and page by page. */
class TurnsTest {
    private static final String TURNS = "/sessions/plan/turns";

    private static void begin(Caller server) {
        server.post("/sessions", "{\"session_id\":\"plan\",\"session_name\":\"plan\"}");
    }

    private static void tell(Caller server, Object event) {
        server.post("/sessions/plan/events", Json.write(event));
    }

    private static List<String> lines(JsonNode page) {
        var lines = new ArrayList<String>();
        for (var turn : page.get("turns")) {
            lines.add(turn.get("kind").asString() + " " + turn.get("text").asString());
        }
        return lines;
    }

    @Test
    void an_event_of_any_shape_is_a_turn_or_none() {
        try (var server = new Caller()) {
            begin(server);
            for (var odd :
                    List.of(
                            "{\"event_type\":\"Notification\",\"payload\":{\"message\":{\"a\":1}}}",
                            "{\"event_type\":\"PermissionRequest\",\"tool_name\":[]}",
                            "{\"event_type\":\"x\",\"humanInTheLoop\":{\"question\":{}}}",
                            "{\"event_type\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":7}",
                            "{\"event_type\":\"PostToolUse\",\"tool_name\":\"Bash\","
                                    + "\"tool_response\":[[{}],null,3]}",
                            "{\"event_type\":\"message\",\"content\":{\"a\":[]}}",
                            "{\"event_type\":\"post_tool\",\"tool_use_id\":{}}")) {
                server.post("/sessions/plan/events", odd);
            }
            tell(server, Map.of("event_type", "message", "content", "after all"));
            assertThat(lines(server.get(TURNS))).contains("says after all");
            assertThat(server.get("/activity").has("sessions")).isTrue();
        }
    }

    @Test
    void pages_have_each_turn_once_in_both_directions() {
        try (var server = new Caller()) {
            begin(server);
            for (int i = 0; i < 7; i++) {
                tell(server, Map.of("event_type", "message", "content", "words " + i));
                tell(server, Map.of("event_type", "silent", "number", i));
            }
            tell(
                    server,
                    Map.of(
                            "event_type", "result",
                            "result_text", "all done",
                            "result_data", Map.of("answer", 42)));
            var whole = lines(server.get(TURNS + "?limit=200"));
            assertThat(whole).hasSize(8);
            assertThat(whole.getLast()).contains("all done", "42");
            assertThat(forwards(server)).isEqualTo(whole);
            assertThat(backwards(server)).isEqualTo(whole);
        }
    }

    private static List<String> forwards(Caller server) {
        var all = new ArrayList<String>();
        var page = server.get(TURNS + "?after=0&limit=2");
        all.addAll(lines(page));
        while (!page.get("next").isNull()) {
            page = server.get(TURNS + "?limit=2&after=" + page.get("next").asLong());
            all.addAll(lines(page));
        }
        return all;
    }

    private static List<String> backwards(Caller server) {
        var all = new ArrayList<String>();
        var page = server.get(TURNS + "?limit=2");
        all.addAll(lines(page));
        while (!page.get("previous").isNull()) {
            page = server.get(TURNS + "?limit=2&before=" + page.get("previous").asLong());
            all.addAll(0, lines(page));
        }
        return all;
    }
}
