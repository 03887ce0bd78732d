package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.web.Route;
import dev.coppice.wire.Call;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;

import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.TreeMap;

/**
 * Every operation that repeats its answer to a key, with a key and a body that it accepts. What may
 * be slow, such as a check against a schema or a file, fails inside of a write ({@code
 * WriteUnderWay}), so an operation that did it there would not succeed here.
 */
class RepeatableTest {
    /** A schema whose check takes long, and a value for it. */
    private static final String SCHEMA =
            "{\"$defs\":{\"a\":{\"properties\":{\"n\":{\"allOf\":[{\"$ref\":\"#/$defs/a\"},"
                + "{\"$ref\":\"#/$defs/a\"}]}}}},\"properties\":{\"n\":{\"$ref\":\"#/$defs/a\"}}}";

    private static final String VALUE =
            "{\"prompt\":\"x\",\"n\":" + "{\"n\":".repeat(12) + "1" + "}".repeat(12) + "}";

    /** Bodies for operations to which their examples are not enough. */
    private static final Map<String, String> BODIES =
            Map.ofEntries(
                    Map.entry("/agents", document("\"parameters_schema\":" + SCHEMA)),
                    Map.entry("/capabilities", document("\"text\":\"How to.\"")),
                    Map.entry(
                            "/mcp-servers",
                            document("\"id\":\"made\",\"url\":\"http://127.0.0.1:9/\"")),
                    Map.entry(
                            "/scripts",
                            document("\"script_file\":\"run.sh\",\"script_content\":\"true\"")),
                    Map.entry("/sessions", "{\"session_id\":\"made\",\"session_name\":\"made\"}"),
                    Map.entry(
                            "/runs",
                            "{\"session_name\":\"run\",\"agent_name\":\"heavy\",\"parameters\":%s}"
                                    .formatted(VALUE)),
                    Map.entry(
                            "/waves",
                            "{\"name\":\"w\",\"members\":[{\"name\":\"m\",\"agent_name\":\"heavy\",\"parameters\":%s}]}"
                                    .formatted(VALUE)),
                    Map.entry(
                            "/events/batch",
                            "[{\"source_app\":\"a\",\"session_id\":\"b\","
                                    + "\"hook_event_type\":\"X\",\"payload\":{}}]"),
                    Map.entry("/sessions/{session_id}/events", "{\"event_type\":\"x\"}"),
                    Map.entry("/sessions/{session_id}/usage", "{\"tokens\":1}"),
                    Map.entry("/sessions/{session_id}/joins", "{\"children\":[\"child\"]}"),
                    Map.entry("/sessions/{session_id}/end", "{\"status\":\"finished\"}"));

    private static String document(String more) {
        return "{\"name\":\"made\",\"description\":\"Made.\",%s}".formatted(more);
    }

    @Test
    void every_repeatable_operation_does_what_is_slow_outside_of_its_write() {
        try (var server = new Caller()) {
            server.post(
                    "/agents",
                    "{\"name\":\"heavy\",\"description\":\"d\",\"parameters_schema\":"
                            + SCHEMA
                            + "}");
            server.post(
                    "/runs",
                    "{\"session_name\":\"live\",\"session_id\":\"live\",\"prompt\":\"x\"}");
            server.post(
                    "/runs",
                    "{\"session_name\":\"child\",\"session_id\":\"child\",\"prompt\":\"x\","
                            + "\"parent_session_name\":\"live\"}");
            server.post(
                    "/runs",
                    "{\"session_name\":\"over\",\"session_id\":\"over\",\"prompt\":\"x\"}");
            server.post("/sessions/over/stop", "{}");
            server.post("/sessions", "{\"session_id\":\"idle\",\"session_name\":\"idle\"}");
            var answers = new TreeMap<String, String>();
            for (var route : server.coordinator().routes()) {
                if (route.call().is(Call.Trait.REPEATABLE))
                    answers.put(route.path(), twice(server, route));
            }
            assertThat(answers.keySet()).containsAll(BODIES.keySet());
            assertThat(answers.values()).as(answers.toString()).containsOnly("the same");
        }
    }

    /** The examples of the required texts, which are enough for most operations. */
    private static String example(Route route) {
        var body = Json.object();
        for (var part : Shape.of(route.call().input()).flat()) {
            boolean isSent = route.call().where(part) == Call.Where.BODY && part.isRequired();
            if (isSent && part.type() == String.class) {
                body.put(part.name(), part.field().example());
            }
        }
        return body.toString();
    }

    private static String twice(Caller server, Route route) {
        var body = BODIES.getOrDefault(route.path(), example(route));
        boolean isOver = route.path().endsWith("/end") || route.path().endsWith("/clear");
        var session = route.path().endsWith("/retry") ? "over" : isOver ? "idle" : "live";
        var path = route.path().replace("{session_id}", session);
        var key = Map.of("Idempotency-Key", "key of " + path);
        var method = route.method().name();
        var first = server.client().call(method, path, Json.read(body), key);
        if (!first.isGood()) return first.status() + " " + first.body();
        var second = server.client().call(method, path, Json.read(body), key);
        return second.body().equals(first.body()) ? "the same" : "then " + second.body();
    }
}
