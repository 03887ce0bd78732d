package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The events of each program give the same tree in order, shuffled, doubled and with losses. Those
 * of Cursor follow its documentation, and those of the others are captured.
 */
class ProgramTrafficTest {
    private static final int SEEDS = 3;

    private static List<String> messages(String file) throws IOException {
        try (var in = ProgramTrafficTest.class.getResourceAsStream(file)) {
            var bytes = Objects.requireNonNull(in).readAllBytes();
            var lines = new String(bytes, StandardCharsets.UTF_8).lines();
            return lines.map(ProgramTrafficTest::body).toList();
        }
    }

    /** Captures have the body in a field of their own. */
    private static String body(String line) {
        var json = dev.coppice.wire.Json.read(line);
        return json.has("body") ? json.get("body").toString() : line;
    }

    /** The parent of each session. */
    private static Map<String, String> parents(String program, List<String> messages) {
        try (var server = new Caller()) {
            var headers = Map.of("Authorization", "Bearer " + server.token());
            for (var message : messages) {
                var answer = server.send("POST", "/hooks/" + program, message, headers);
                assertThat(answer.body()).isEqualTo("{}");
            }
            var parents = new TreeMap<String, String>();
            for (var s : server.get("/sessions").get("sessions")) {
                var parent = s.get("parent_session_id").asString("none");
                parents.put(s.get("session_id").asString(), parent);
            }
            return parents;
        }
    }

    /** What each program's agent does at each step, in a line. */
    private static Set<String> headlines(String program, List<String> messages) {
        try (var server = new Caller()) {
            var headers = Map.of("Authorization", "Bearer " + server.token());
            var told = new TreeSet<String>();
            for (var message : messages) {
                var _ = server.send("POST", "/hooks/" + program, message, headers);
                for (var s : server.get("/sessions?headlines=true").get("sessions")) {
                    var line = s.path("headline");
                    if (line.isObject()) {
                        told.add(line.get("kind").asString() + " " + line.get("text").asString());
                    }
                }
            }
            return told;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "claude-code, /captured/claude-hooks.jsonl, reads a.txt, sub finished",
        "codex, /captured/codex-nested-hooks.jsonl, Bash: sleep 4; echo both, deep done",
        "gemini, /captured/gemini-nested-hooks.jsonl, run_shell_command: echo inner, done as told",
        "opencode, /captured/opencode-hooks.jsonl, bash: echo deep, ",
    })
    void the_headline_tells_what_the_agent_of_any_program_does(
            String program, String file, String does, @Nullable String said) throws IOException {
        var told = headlines(program, messages(file));
        assertThat(told).contains("does " + does).anyMatch(line -> line.startsWith("told "));
        if (said != null) assertThat(told).containsAnyOf("says " + said, "result " + said);
    }

    /** The turns of all sessions of a program, each in a line. */
    private static Set<String> turns(String program, List<String> messages) {
        try (var server = new Caller()) {
            var headers = Map.of("Authorization", "Bearer " + server.token());
            for (var message : messages) {
                var _ = server.send("POST", "/hooks/" + program, message, headers);
            }
            var told = new TreeSet<String>();
            for (var s : server.get("/sessions").get("sessions")) {
                var id = s.get("session_id").asString();
                var page = server.get("/sessions/" + id + "/turns");
                for (var turn : page.get("turns")) told.add(line(turn));
            }
            return told;
        }
    }

    private static String line(JsonNode turn) {
        var kind = turn.get("kind").asString();
        if (kind.equals("child")) return "child " + turn.at("/child/session_name").asString();
        var returned = turn.path("returned");
        var text = kind + " " + turn.get("text").asString().lines().findFirst().orElse("");
        if (!returned.isObject()) return text;
        var failed = returned.get("failed").asBoolean() ? " failed " : " -> ";
        return text + failed + returned.get("text").asString().lines().findFirst().orElse("");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "claude-code | /captured/claude-hooks.jsonl | told Do the work. ~ says all done ~"
                        + " does Bash: echo hello > made.txt && cat made.txt -> hello ~"
                        + " does reads a.txt -> one ~ does Bash: false failed Exit code 1 ~"
                        + " child general-purpose",
                "codex | /captured/codex-nested-hooks.jsonl | told go ~ says deep done ~"
                        + " does Bash: sleep 4; echo both -> both ~ child ",
                "gemini | /captured/gemini-hooks.jsonl | told look here ~"
                        + " does run_shell_command: echo hi -> <untrusted_context>",
                "opencode | /captured/opencode-hooks.jsonl | told \"do as follows\" ~"
                        + " does bash: echo hi -> hi ~ child ",
            })
    void the_conversation_of_any_program_has_its_turns(String program, String file, String turns)
            throws IOException {
        var told = turns(program, messages(file));
        for (var turn : turns.split(" ~ ", -1)) {
            assertThat(told).as(turn).anyMatch(one -> one.startsWith(turn.strip()));
        }
    }

    /** Of nested agents, one answer alone tells the inner edge, so nothing may be lost. */
    @ParameterizedTest
    @CsvSource({
        "claude-code, /captured/claude-hooks.jsonl, 2, true",
        "codex, /captured/codex-hooks.jsonl, 1, true",
        "codex, /captured/codex-nested-hooks.jsonl, 3, false",
        "gemini, /captured/gemini-hooks.jsonl, 1, true",
        "gemini, /captured/gemini-nested-hooks.jsonl, 2, false",
        "cursor, /documented/cursor.jsonl, 3, true",
        "opencode, /captured/opencode-hooks.jsonl, 3, true",
    })
    void the_tree_is_the_same_in_any_order_twice_and_with_losses(
            String program, String file, int sessions, boolean mayLose) throws IOException {
        var messages = messages(file);
        var inOrder = parents(program, messages);
        assertThat(inOrder).hasSize(sessions);
        assertThat(inOrder.values().stream().filter("none"::equals)).hasSize(1);
        if (!mayLose) assertThat(Set.copyOf(inOrder.values())).as("nested").hasSize(sessions);
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            var some = new ArrayList<>(messages);
            if (seed % 2 == 1 || !mayLose) some.addAll(messages);
            Collections.shuffle(some, random);
            assertThat(parents(program, some)).as("seed " + seed).isEqualTo(inOrder);
            if (!mayLose) continue;
            some.subList(0, some.size() / 10).clear();
            assertThat(parents(program, some)).as("with losses, " + seed).isEqualTo(inOrder);
        }
    }
}
