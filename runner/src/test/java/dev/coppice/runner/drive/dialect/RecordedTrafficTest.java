package dev.coppice.runner.drive.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Recorded output of real programs, heard whole, with losses, and with lines that come twice. */
class RecordedTrafficTest {
    static final String CLAUDE = "claude-code";
    static final String CODEX = "codex-app-server";
    static final String EXEC = "codex-exec";
    static final String ACP = "acp";

    static List<String> recorded(String name) {
        try (InputStream in =
                RecordedTrafficTest.class.getResourceAsStream("/recorded/" + name + ".jsonl")) {
            var text =
                    new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Dialect dialect(String name, Heard heard) {
        var kind = name.startsWith("codex") ? "codex" : name;
        var options = Json.object();
        if (name.equals(EXEC)) options.put("protocol", "exec");
        var order =
                new Order(
                        kind,
                        "run_1",
                        List.of("program"),
                        options,
                        "do it",
                        false,
                        null,
                        Json.object());
        return Dialects.of(order, null, heard, heard);
    }

    /** Hears the lines as a driver does, and answers each question with yes. */
    private static Dialect.Outcome hear(String name, List<String> lines, Heard heard) {
        var dialect = dialect(name, heard);
        dialect.begin();
        for (var line : lines) {
            dialect.heard(Json.read(line));
            while (dialect.question() != null) dialect.answer("yes");
        }
        dialect.quiet();
        return dialect.outcome(0);
    }

    @Test
    void the_traffic_of_claude_code_is_understood() {
        var heard = new Heard();
        var outcome = hear(CLAUDE, recorded(CLAUDE), heard);
        assertThat(outcome).isEqualTo(new Dialect.Outcome.Done("all done"));
        assertThat(heard.count("program_message")).as("%s", heard.events).isZero();
        assertThat(heard.count("permission_request")).isEqualTo(1);
        assertThat(heard.count("turn_ended")).isEqualTo(3);
        assertThat(heard.count("background_task_started")).isEqualTo(1);
        assertThat(heard.count("background_task_ended")).isEqualTo(1);
        assertThat(heard.began.values()).containsExactly(Upstream.SELF);
        assertThat(heard.ended.values()).containsExactly(Upstream.Ending.FINISHED);
        assertThat(heard.isClosed).isTrue();
        // The sums of the last result, whatever was counted before.
        var usage = Json.read(recorded(CLAUDE).getLast()).path("modelUsage").iterator().next();
        assertThat(heard.read).isEqualTo(usage.get("inputTokens").asLong());
        assertThat(heard.wrote).isEqualTo(usage.get("outputTokens").asLong());
        assertThat(heard.dollars.doubleValue())
                .isEqualTo(
                        usage.get("costUSD").asDouble(),
                        org.assertj.core.api.Assertions.within(1e-9));
    }

    @Test
    void the_traffic_of_codex_is_understood() {
        var heard = new Heard();
        var outcome = hear(CODEX, recorded(CODEX), heard);
        assertThat(outcome).isInstanceOf(Dialect.Outcome.class);
        assertThat(heard.count("program_message")).as("%s", heard.events).isZero();
        assertThat(heard.began.values()).containsExactly(Upstream.SELF);
        assertThat(heard.ended.values()).containsExactly(Upstream.Ending.FINISHED);
        var executed = new Heard();
        assertThat(hear(EXEC, recorded(EXEC), executed))
                .isEqualTo(new Dialect.Outcome.Done("codex done"));
        assertThat(executed.read).isEqualTo(300);
        assertThat(executed.count("program_message")).isZero();
    }

    @Test
    void the_traffic_of_an_acp_agent_is_understood() {
        var heard = new Heard();
        var outcome = hear(ACP, recorded(ACP), heard);
        assertThat(outcome).isEqualTo(new Dialect.Outcome.Done("all done"));
        assertThat(heard.count("program_message")).as("%s", heard.events).isZero();
        assertThat(heard.count("pre_tool")).isEqualTo(1);
        assertThat(heard.events.toString()).contains("touch g.txt");
        assertThat(heard.read + heard.wrote).isEqualTo(2100);
    }

    /** What stands in lists and trees while the agent works. */
    @Test
    void the_recorded_agents_say_and_do_what_a_headline_tells() {
        for (var name : List.of(CLAUDE, CODEX, EXEC, ACP)) {
            var heard = new Heard();
            var _ = hear(name, recorded(name), heard);
            assertThat(heard.told).as(name).anyMatch(line -> line.startsWith("SAYS "));
            assertThat(heard.told)
                    .as(name)
                    .anyMatch(line -> line.matches("DOES .+: .+|DOES \\w+s .+"));
        }
    }

    /** A subagent that an agent of the protocol tells of, before its own updates. */
    @Test
    void an_acp_agent_tells_of_its_subagents() {
        var heard = new Heard();
        var lines = new ArrayList<>(recorded(ACP).subList(0, 2));
        for (var update :
                List.of(
                        "{\"sessionId\":\"SELF\",\"update\":{\"sessionUpdate\":\"subagent_update\",\"sessionId\":\"kid\",\"title\":\"look\",\"state\":{\"state\":\"running\"}}}",
                        "{\"sessionId\":\"kid\",\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"found\"}}}",
                        "{\"sessionId\":\"kid\",\"update\":{\"sessionUpdate\":\"subagent_update\",\"sessionId\":\"grandkid\",\"state\":\"running\"}}",
                        "{\"sessionId\":\"SELF\",\"update\":{\"sessionUpdate\":\"subagent_update\",\"sessionId\":\"kid\",\"state\":{\"state\":\"idle\",\"stopReason\":\"end_turn\"}}}")) {
            lines.add(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":"
                            + update
                            + "}");
        }
        hear(ACP, lines, heard);
        assertThat(heard.began)
                .containsEntry("kid", Upstream.SELF)
                .containsEntry("grandkid", "kid");
        assertThat(heard.ended)
                .containsEntry("kid", Upstream.Ending.FINISHED)
                .containsEntry("grandkid", Upstream.Ending.STOPPED);
        assertThat(heard.events).anyMatch(event -> event.startsWith("kid message"));
    }

    /**
     * A dialect throws nothing without any one line, and each subagent that has begun ends once.
     */
    @ParameterizedTest
    @ValueSource(strings = {CLAUDE, CODEX, EXEC, ACP})
    void any_line_may_be_lost(String name) {
        var lines = recorded(name);
        var whole = new Heard();
        hear(name, lines, whole);
        for (int lost = 0; lost < lines.size(); lost++) {
            var rest = new ArrayList<>(lines);
            rest.remove(lost);
            var heard = new Heard();
            hear(name, rest, heard);
            assertThat(heard.ended.keySet())
                    .as("without line %d", lost)
                    .isEqualTo(heard.began.keySet());
            assertThat(heard.read).as("without line %d", lost).isLessThanOrEqualTo(whole.read);
            assertThat(heard.wrote).as("without line %d", lost).isLessThanOrEqualTo(whole.wrote);
        }
    }

    /** The beginning of the traffic alone: the program was killed. */
    @ParameterizedTest
    @ValueSource(strings = {CLAUDE, CODEX, EXEC, ACP})
    void the_program_may_end_at_any_line(String name) {
        var lines = recorded(name);
        for (int end = 0; end < lines.size(); end++) {
            var heard = new Heard();
            hear(name, lines.subList(0, end), heard);
            assertThat(heard.ended.keySet()).isEqualTo(heard.began.keySet());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {CLAUDE, CODEX, EXEC, ACP})
    void a_line_that_comes_twice_counts_once(String name) {
        var lines = recorded(name);
        var whole = new Heard();
        var outcome = hear(name, lines, whole);
        for (int twice = 0; twice < lines.size(); twice++) {
            var more = new ArrayList<>(lines);
            more.add(twice, lines.get(twice));
            var heard = new Heard();
            var again = hear(name, more, heard);
            // A piece of a message that comes twice cannot be told from two pieces.
            if (name.equals(ACP)) assertThat(again).isInstanceOf(Dialect.Outcome.Done.class);
            else assertThat(again).as("line %d twice", twice).isEqualTo(outcome);
            assertThat(heard.read).as("line %d twice", twice).isEqualTo(whole.read);
            assertThat(heard.wrote).as("line %d twice", twice).isEqualTo(whole.wrote);
            assertThat(heard.began).isEqualTo(whole.began);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {CLAUDE, CODEX, EXEC, ACP})
    void an_unknown_message_is_stored_and_changes_nothing(String name) {
        var lines = new ArrayList<>(recorded(name));
        var outcome = hear(name, lines, new Heard());
        lines.add(lines.size() / 2, "{\"type\":\"novelty\",\"method\":\"novelty\",\"x\":1}");
        lines.add(lines.size() / 2, "{\"type\":\"novelty\",\"method\":\"novelty\",\"x\":2}");
        var heard = new Heard();
        assertThat(hear(name, lines, heard)).isEqualTo(outcome);
        assertThat(heard.count("program_message")).isEqualTo(2);
    }

    /** Every field of every line, with an object in its place, as a newer program may send it. */
    @ParameterizedTest
    @ValueSource(strings = {CLAUDE, CODEX, EXEC, ACP})
    void a_field_of_another_type_ends_no_driver(String name) {
        var lines = recorded(name);
        for (int at = 0; at < lines.size(); at++) {
            for (var path : paths(Json.read(lines.get(at)), "")) {
                var heard = new Heard();
                var dialect = dialect(name, heard);
                var unknown = new Unknown(name, heard);
                dialect.begin();
                for (int i = 0; i < lines.size(); i++) {
                    unknown.orHeard(dialect, i == at ? changed(lines.get(i), path) : lines.get(i));
                    while (dialect.question() != null) dialect.answer("yes");
                }
                dialect.outcome(0);
                assertThat(heard.ended.keySet())
                        .as("line %d, %s", at, path)
                        .isEqualTo(heard.began.keySet());
            }
        }
    }

    private static List<String> paths(JsonNode node, String above) {
        var all = new ArrayList<String>();
        for (var field : node.properties()) {
            var path = above + "/" + field.getKey().replace("~", "~0").replace("/", "~1");
            all.add(path);
            all.addAll(paths(field.getValue(), path));
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            all.addAll(paths(node.get(i), above + "/" + i));
        }
        return all;
    }

    private static String changed(String line, String path) {
        var message = Json.read(line);
        int last = path.lastIndexOf('/');
        var name = path.substring(last + 1).replace("~1", "/").replace("~0", "~");
        ((ObjectNode) message.at(path.substring(0, last))).putObject(name).putArray("new").add(1);
        return message.toString();
    }
}
