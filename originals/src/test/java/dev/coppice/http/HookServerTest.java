package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** The hook server's paths, as its own sender and page call them. */
class HookServerTest {
    private final Caller server = Product.caller();

    @AfterEach
    void close() {
        server.close();
    }

    private Caller.Sent send(String method, String path, String body) {
        return server.send(
                method,
                path,
                body,
                Map.of(
                        "Authorization",
                        "Bearer " + server.token(),
                        "Content-Type",
                        "application/json"));
    }

    private JsonNode post(String body) {
        var answer = send("POST", "/events", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    private static String event(String session, String type, String more) {
        return """
        {"source_app":"app","session_id":"%s","hook_event_type":"%s","payload":{}%s}\
        """
                .formatted(session, type, more);
    }

    private static String at(long millis) {
        return ",\"timestamp\":" + millis;
    }

    private static java.util.List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asString)
                .collect(Collectors.toList());
    }

    @Test
    void a_post_is_answered_with_200_and_the_whole_body() {
        var answer =
                post(
                        """
                        {"source_app":"demo","session_id":"s-1","hook_event_type":"PreToolUse",
                         "payload":{"tool_name":"Bash"},"tool_name":"Bash","own":{"field":[1,2]},
                         "timestamp":1763690951123}\
                        """);
        assertThat(answer.get("id").asLong()).isPositive();
        assertThat(answer.get("timestamp").asLong()).isEqualTo(1_763_690_951_123L);
        assertThat(answer.get("own").toString()).isEqualTo("{\"field\":[1,2]}");
        assertThat(answer.get("payload").toString()).isEqualTo("{\"tool_name\":\"Bash\"}");
        assertThat(answer.has("chat")).isFalse();
        assertThat(answer.has("humanInTheLoopStatus")).isFalse();
        var shown = server.get("/sessions/s-1");
        assertThat(shown.toString()).contains("\"source_app\":\"demo\"", "\"state\":\"running\"");
    }

    @Test
    void a_question_to_a_person_is_pending() {
        var asks = ",\"humanInTheLoop\":{\"question\":\"go on?\",\"type\":\"permission\"}";
        var answer = post(event("s", "HumanInTheLoop", asks));
        assertThat(answer.get("humanInTheLoopStatus").toString())
                .isEqualTo("{\"status\":\"pending\"}");
        assertThat(answer.get("timestamp").asLong()).isPositive();
    }

    @Test
    void missing_fields_and_broken_bodies_are_answered_in_the_originals_words() {
        for (var body :
                new String[] {
                    "{}",
                    "{\"source_app\":\"a\",\"session_id\":\"s\",\"hook_event_type\":\"T\"}",
                    "{\"source_app\":\"\",\"session_id\":\"s\",\"hook_event_type\":\"T\",\"payload\":{}}",
                    "{\"source_app\":\"a\",\"session_id\":\"s\",\"hook_event_type\":\"T\",\"payload\":null}"
                }) {
            var answer = send("POST", "/events", body);
            assertThat(answer.status()).as(body).isEqualTo(400);
            assertThat(answer.json().get("error").asString()).isEqualTo("Missing required fields");
            assertThat(answer.json().get("detail").asString()).startsWith("Add ");
        }
        for (var body : new String[] {"", "[]", "nonsense", "{\"a\":1} {}", "{\"a\":"}) {
            var answer = send("POST", "/events", body);
            assertThat(answer.status()).as(body).isEqualTo(400);
            assertThat(answer.json().get("error").asString()).isEqualTo("Invalid request");
        }
        assertThat(server.get("/events/recent").size()).isZero();
    }

    @Test
    void the_newest_events_come_by_the_clients_time_oldest_first() {
        for (long at : new long[] {3, 1, 5, 2, 4}) {
            post(event("s", "T" + at, at(1_763_690_951_000L + at)));
        }
        var newest = server.get("/events/recent?limit=3");
        assertThat(newest.isArray()).isTrue();
        assertThat(newest.findValuesAsString("hook_event_type")).containsExactly("T3", "T4", "T5");
        assertThat(server.get("/events/recent?limit=-1").size()).isEqualTo(5);
        assertThat(server.get("/events/recent").size()).isEqualTo(5);
    }

    @Test
    void the_filter_options_list_each_value_once() {
        for (int i = 0; i < 4; i++) {
            post(event("s" + i % 2, "T" + i % 3, "").replace("\"app\"", "\"app-" + i % 2 + "\""));
        }
        var options = server.get("/events/filter-options");
        assertThat(texts(options.get("source_apps"))).containsExactly("app-0", "app-1");
        assertThat(texts(options.get("session_ids"))).containsExactly("s1", "s0");
        assertThat(texts(options.get("hook_event_types"))).containsExactly("T0", "T1", "T2");
    }

    /** A page offered to filter by sessions of which it could never show an event. */
    @Test
    void the_filter_options_name_sessions_that_are_there_and_have_sent_an_event() {
        post(event("gone", "SessionStart", "").replace("\"app\"", "\"left\""));
        server.post("/sessions/gone/removal?wait=30s", "{\"running\":\"stop\"}");
        server.post("/sessions", "{\"session_id\":\"silent\",\"source_app\":\"silence\"}");
        post(event("there", "SubagentStart", "").replace("{}", "{\"agent_id\":\"a1\"}"));
        var spawn = "{\"parent_session_id\":\"there\",\"spawn_context\":{}}";
        assertThat(send("POST", "/api/sessions/spawn", spawn).status()).isEqualTo(200);
        var options = server.get("/events/filter-options");
        assertThat(texts(options.get("source_apps"))).containsExactly("app");
        assertThat(texts(options.get("session_ids"))).containsExactly("there");
    }

    @Test
    void each_event_of_a_batch_is_stored_or_refused_by_itself() {
        var good = event("s", "Stop", "");
        var array =
                "[%s,1,%s,%s,%s]"
                        .formatted(
                                good,
                                good.replace("\"app\"", "7"),
                                good.replace("\"s\"", "\"not a session\""),
                                event("s", "Stop", at(42)));
        var answer = send("POST", "/events/batch", array);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("stored").asInt()).isEqualTo(1);
        assertThat(answer.json().get("refused").asInt()).isEqualTo(4);
        var results = answer.json().get("results");
        assertThat(results.get(0).get("id").asLong()).isPositive();
        for (int i = 1; i < 5; i++) {
            assertThat(results.get(i).get("code").asString()).isEqualTo("bad_value");
        }
        assertThat(results.get(3).get("error").asString()).contains("session_id", "not a session");
        assertThat(results.get(4).get("error").asString()).contains("milliseconds");
        var lines = send("POST", "/events/batch", good + "\n{broken\n\n" + good + "\n");
        assertThat(lines.json().get("stored").asInt()).isEqualTo(2);
        assertThat(lines.json().get("refused").asInt()).isEqualTo(1);
        assertThat(send("POST", "/events/batch", "[" + good + ",{").status()).isEqualTo(400);
        assertThat(server.get("/events/recent").size()).isEqualTo(3);
    }

    @Test
    void a_batch_of_ten_thousand_is_stored_and_a_larger_one_is_refused() {
        var line = event("many", "PostToolUse", "") + "\n";
        var whole = send("POST", "/events/batch", line.repeat(10_000)).json();
        assertThat(whole.get("stored").asInt()).isEqualTo(10_000);
        var numbers =
                IntStream.range(0, 10_000)
                        .mapToLong(i -> whole.get("results").get(i).get("id").asLong())
                        .toArray();
        assertThat(numbers).isSorted();
        assertThat(send("POST", "/events/batch", line.repeat(10_001)).status()).isEqualTo(429);
    }

    /** All of it was one write, for which every other caller waited. */
    @Test
    void a_batch_with_a_key_is_stored_in_parts_and_each_part_once() throws Exception {
        var lines = (event("keyed", "PostToolUse", "") + "\n").repeat(1_200);
        var token = "Authorization: Bearer " + server.token();
        var key = "Idempotency-Key: b1";
        var first = server.raw("POST", "/events/batch", lines, token, key);
        assertThat(server.raw("POST", "/events/batch", lines, token, key)).isEqualTo(first);
        try (var database = server.database();
                var statement = database.createStatement()) {
            // As if the coordinator had been killed before the last part.
            var last = "delete from receipt where key = 'b1' || char(10) || '2'";
            assertThat(statement.executeUpdate(last)).isOne();
            assertThat(statement.executeUpdate("delete from receipt where key = 'b1'")).isZero();
        }
        var resumed = server.raw("POST", "/events/batch", lines, token, key);
        var before = Json.read(first.body()).get("results");
        var after = Json.read(resumed.body()).get("results");
        assertThat(after.get(999)).isEqualTo(before.get(999));
        assertThat(after.get(1_000)).isNotEqualTo(before.get(1_000));
        assertThat(after.size()).isEqualTo(1_200);
    }

    @Test
    void hostile_values_are_refused_by_name_and_lose_no_other_event() {
        var refused =
                Map.of(
                        "session_id", event("a/../b", "T", ""),
                        "timestamp", event("s", "T", at(99_999_999_999_999L)),
                        "hook_event_type", event("s", "T".repeat(201), ""),
                        "event", event("s", "T", ",\"chat\":\"" + "x".repeat(1 << 20) + "\""),
                        "source_app", event("s", "T", "").replace("\"app\"", "\"a\\u0000\""));
        refused.forEach((field, body) -> {
            var answer = send("POST", "/events", body);
            assertThat(answer.status()).as(field).isBetween(400, 499);
            assertThat(answer.json().get("error").asString()).contains(field);
        });
        post(event("s", "Weird \ud83c\udf33 type", ",\"note\":\"\\u0000 \\ud800\""));
        var kept = server.get("/events/recent");
        assertThat(kept.findValuesAsString("hook_event_type")).containsExactly("Weird 🌳 type");
    }

    @Test
    void a_removed_session_takes_no_more_events() {
        post(event("s", "SessionStart", ""));
        server.post("/sessions/s/removal?wait=30s", "{\"running\":\"stop\"}");
        var answer = send("POST", "/events", event("s", "Stop", ""));
        assertThat(answer.status()).as(answer.body()).isBetween(400, 499);
        assertThat(server.get("/events/recent").size()).isZero();
    }

    /** Programs can send their hooks over HTTP themselves, and read the answer as a decision. */
    @Test
    void what_a_program_sends_to_a_hook_is_an_event() {
        var body =
                "{\"session_id\":\"direct\",\"cwd\":\"/home/dev/shop\","
                        + "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\","
                        + "\"tool_input\":{\"command\":\"ls\"}}";
        assertThat(server.post("/events", body).toString()).isEqualTo("{}");
        var event = server.get("/events/recent?limit=1").get(0);
        assertThat(text(event, "source_app")).isEqualTo("shop");
        assertThat(text(event, "hook_event_type")).isEqualTo("PreToolUse");
        assertThat(event.at("/payload/tool_input/command").asString()).isEqualTo("ls");
        assertThat(text(server.get("/sessions/direct/status"), "status")).isEqualTo("running");
    }

    @Test
    void every_program_sends_its_hooks_in_its_own_words() {
        hook(
                "gemini",
                "{\"session_id\":\"g\",\"hook_event_name\":\"BeforeTool\",\"cwd\":\"/a/b\"}");
        assertThat(text(server.get("/sessions/g/status"), "status")).isEqualTo("running");
        hook("gemini", "{\"session_id\":\"g\",\"hook_event_name\":\"AfterAgent\"}");
        assertThat(text(server.get("/sessions/g").get("session"), "state")).isEqualTo("idle");
        hook(
                "cursor",
                "{\"conversation_id\":\"c\",\"hook_event_name\":\"beforeSubmitPrompt\","
                        + "\"workspace_roots\":[\"/home/dev/shop\"]}");
        hook(
                "cursor",
                "{\"conversation_id\":\"c\",\"hook_event_name\":\"subagentStart\",\"subagent_id\":"
                        + "\"c2\",\"subagent_type\":\"explore\",\"parent_conversation_id\":\"c\"}");
        var child = server.get("/sessions/c2").get("session");
        assertThat(text(child, "parent_session_id")).isEqualTo("c");
        assertThat(text(server.get("/sessions/c").get("session"), "session_name"))
                .startsWith("shop");
        hook(
                "opencode",
                "{\"session_id\":\"o2\",\"hook_event_name\":\"SessionStart\","
                        + "\"parent_session_id\":\"o\"}");
        assertThat(text(server.get("/sessions/o2").get("session"), "parent_session_id"))
                .isEqualTo("o");
        hook("claude-code", "{\"session_id\":\"cc\",\"hook_event_name\":\"Stop\"}");
        assertThat(send("POST", "/hooks/emacs", "{}").status()).isEqualTo(404);
        for (var bad : List.of("", "[]", "{", "{\"session_id\":\"x\"}", "null")) {
            assertThat(send("POST", "/hooks/codex", bad).status()).as(bad).isEqualTo(400);
        }
    }

    /** A person's hooks are also those of the programs that Coppice starts. */
    @Test
    void hooks_of_a_program_that_coppice_started_are_events_of_its_session() {
        server.post("/sessions", "{\"session_id\":\"ours\",\"session_name\":\"ours\"}");
        var body = "{\"session_id\":\"its-own\",\"hook_event_name\":\"PreToolUse\"}";
        var headers =
                Map.of("Authorization", "Bearer " + server.token(), "X-Agent-Session-Name", "ours");
        assertThat(server.send("POST", "/hooks/codex", body, headers).status()).isEqualTo(200);
        assertThat(server.get("/sessions/ours/events").toString()).contains("PreToolUse");
        assertThat(text(server.get("/sessions/its-own/status"), "status"))
                .isEqualTo("not_existent");
    }

    private void hook(String program, String body) {
        var answer = send("POST", "/hooks/" + program, body);
        assertThat(answer.body()).isEqualTo("{}");
    }
}
