package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Events that a real agent sent to its hooks, in two programs of one session with a subagent, give
 * the tree that they tell of: in order, in any order, twice, and with some of them lost.
 */
class CapturedTrafficTest {
    private static final String MAIN = "11111111-2222-4333-8444-555555555555";
    private static final String AGENT = MAIN + "~a176aeecee80f45ec";
    private static final Map<String, String> TREE =
            new TreeMap<>(
                    Map.of(
                            MAIN,
                            "null finished 2026-11-21T02:09:11.500Z 2026-11-21T02:09:14.008Z",
                            AGENT,
                            MAIN
                                    + " finished 2026-11-21T02:09:12.314Z"
                                    + " 2026-11-21T02:09:12.531Z"));

    /** A message as the hook server's sender makes it of the body that a hook gets. */
    private record Message(String type, boolean isOfAgent, String text) {}

    private static List<Message> captured() {
        return captured("/captured/claude-hooks.jsonl");
    }

    private static List<Message> captured(String name) {
        try (var in = CapturedTrafficTest.class.getResourceAsStream(name)) {
            var text =
                    new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().map(CapturedTrafficTest::message).toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Message message(String line) {
        var captured = Json.read(line);
        var body = captured.get("body");
        var type = body.get("hook_event_name").asString();
        // Codex tells no time to its hooks.
        var at = Instant.parse(captured.path("at").asString("2026-11-21T02:09:25Z"));
        var text =
                Json.write(
                        Map.of(
                                "source_app",
                                "captured",
                                "session_id",
                                body.get("session_id"),
                                "hook_event_type",
                                type,
                                "payload",
                                body,
                                "timestamp",
                                at.toEpochMilli()));
        return new Message(type, body.has("agent_id"), text);
    }

    /** Each session: its parent, its state, its start and its end. */
    private static Map<String, String> tree(List<Message> messages) {
        try (var server = Product.caller()) {
            for (var message : messages) {
                var answer =
                        server.send(
                                "POST",
                                "/events",
                                message.text(),
                                Map.of("Authorization", "Bearer " + server.token()));
                assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            }
            var tree = new TreeMap<String, String>();
            for (var s : server.get("/sessions").get("sessions")) {
                tree.put(s.get("session_id").asString(), described(s));
            }
            assertThat(server.get("/events/recent?limit=-1").size()).isEqualTo(messages.size());
            return tree;
        }
    }

    private static String described(JsonNode s) {
        return List.of("parent_session_id", "state", "started_at", "ended_at").stream()
                .map(field -> s.get(field).asString("null"))
                .reduce((a, b) -> a + " " + b)
                .orElseThrow();
    }

    @Test
    void in_order() {
        assertThat(tree(captured())).isEqualTo(TREE);
    }

    @Test
    void in_any_order_and_twice() {
        for (int seed = 0; seed < 5; seed++) {
            var messages = new ArrayList<>(captured());
            if (seed % 2 == 1) messages.addAll(captured());
            Collections.shuffle(messages, new Random(seed));
            assertThat(tree(messages)).as("seed " + seed).isEqualTo(TREE);
        }
    }

    @Test
    void without_the_start_or_the_end_of_the_subagent() {
        var alone = Set.of("SubagentStart", "PostToolUse");
        assertThat(tree(without(m -> m.type().equals("SubagentStart"))).keySet())
                .isEqualTo(TREE.keySet());
        assertThat(tree(without(m -> alone.contains(m.type()))).keySet()).isEqualTo(TREE.keySet());
        assertThat(tree(without(Message::isOfAgent)).keySet()).isEqualTo(TREE.keySet());
        var open = tree(without(m -> m.type().equals("SubagentStop")));
        assertThat(open.get(AGENT)).startsWith(MAIN + " running ").endsWith(" null");
        assertThat(open.get(MAIN)).isEqualTo(TREE.get(MAIN));
    }

    @Test
    void with_any_tenth_lost_no_session_has_another_parent() {
        for (int seed = 0; seed < 5; seed++) {
            var random = new Random(seed);
            var kept = without(_ -> random.nextInt(10) == 0);
            assertThat(parents(tree(kept))).as("seed " + seed).isEqualTo(parents(TREE));
        }
    }

    private static Map<String, String> parents(Map<String, String> tree) {
        var parents = new TreeMap<String, String>();
        tree.forEach((id, s) -> parents.put(id, s.substring(0, s.indexOf(' '))));
        return parents;
    }

    @Test
    void a_subagent_of_a_subagent_moves_below_the_one_that_started_it() {
        var start = nested("SubagentStart", "inner", null);
        var outer = nested("SubagentStart", "outer", null);
        var says = nested("PostToolUse", "outer", "inner");
        var stop = nested("SubagentStop", "inner", null);
        var all = List.of(outer, start, says, stop);
        for (int seed = 0; seed < 5; seed++) {
            var messages = new ArrayList<>(all);
            Collections.shuffle(messages, new Random(seed));
            var tree = tree(messages);
            assertThat(tree.get("s~inner")).as("seed " + seed).startsWith("s~outer finished");
            assertThat(tree.get("s~outer")).startsWith("s running");
        }
    }

    @Test
    void the_oldest_open_call_for_its_type_says_who_started_a_subagent() {
        var outer = nested("SubagentStart", "outer", null);
        var early = called("outer", "t1");
        var late = called(null, "t2");
        var start = nested("SubagentStart", "inner", null);
        var guessed = tree(List.of(outer, early, late, early, start, start));
        assertThat(guessed.get("s~inner")).startsWith("s~outer ");
        var answer = nested("PostToolUse", null, "inner", ",\"tool_use_id\":\"t2\"");
        var other = nested("SubagentStart", "other", null);
        var known = tree(List.of(outer, early, late, start, answer, other));
        assertThat(known.get("s~inner")).startsWith("s ");
        assertThat(known.get("s~other")).as("the call that is open again").startsWith("s~outer ");
    }

    @Test
    void a_call_that_failed_or_was_answered_explains_no_further_subagent() {
        var outer = nested("SubagentStart", "outer", null);
        var start = nested("SubagentStart", "inner", null);
        var id = ",\"tool_name\":\"Agent\",\"tool_use_id\":\"t1\"";
        var failed = nested("PostToolUseFailure", "outer", null, id);
        var call = called("outer", "t1");
        assertThat(tree(List.of(outer, call, failed, start)).get("s~inner")).startsWith("s ");
        assertThat(tree(List.of(outer, failed, call, start)).get("s~inner")).startsWith("s ");

        var first = nested("PostToolUse", "outer", "helper", ",\"tool_use_id\":\"t1\"");
        var again = nested("PostToolUse", null, "helper", ",\"tool_use_id\":\"t2\"");
        var resumed = tree(List.of(outer, call, first, again, start));
        assertThat(resumed.get("s~inner")).startsWith("s ");
        var odd = nested("PreToolUse", "outer", null, id.replace("t1", "a\\u0000b"));
        assertThat(tree(List.of(outer, odd, start)).get("s~inner")).startsWith("s ");
    }

    private static Message called(@org.jspecify.annotations.Nullable String by, String call) {
        return nested(
                "PreToolUse",
                by,
                null,
                ",\"tool_name\":\"Agent\",\"tool_use_id\":\""
                        + call
                        + "\",\"tool_input\":{\"subagent_type\":\"look\"}");
    }

    private static Message nested(
            String type, String agent, @org.jspecify.annotations.Nullable String started) {
        return nested(type, agent, started, "");
    }

    private static Message nested(
            String type,
            @org.jspecify.annotations.Nullable String agent,
            @org.jspecify.annotations.Nullable String started,
            String more) {
        var tool =
                started == null
                        ? ""
                        : """
                        ,"tool_name":"Agent","tool_response":{"agentId":"%s","status":"async_launched"}\
                        """
                                .formatted(started);
        var own =
                agent == null
                        ? ""
                        : ",\"agent_id\":\"%s\",\"agent_type\":\"look\"".formatted(agent);
        long at =
                1_763_690_951_000L
                        + List.of("SubagentStart", "PostToolUse", "SubagentStop").indexOf(type);
        return new Message(
                type,
                true,
                """
                {"source_app":"a","session_id":"s","hook_event_type":"%s","timestamp":%d,
                 "payload":{"x":1%s%s%s}}\
                """
                        .formatted(type, at, own, tool, more));
    }

    private static List<Message> without(Predicate<Message> lost) {
        return captured().stream().filter(lost.negate()).toList();
    }

    @Test
    void events_of_codex_are_one_session() {
        var messages = captured("/captured/codex-hooks.jsonl");
        var session = Json.read(messages.getFirst().text()).get("session_id").asString();
        assertThat(tree(messages))
                .containsExactly(
                        Map.entry(
                                session,
                                "null finished 2026-11-21T02:09:25Z 2026-11-21T02:09:25Z"));
    }
}
