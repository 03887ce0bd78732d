package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

/** Two trees beside each other: the first difference, the files, the commits and the cost. */
class CompareTest {
    private final Caller server = new Caller();

    @AfterEach
    void stop() {
        server.close();
    }

    private void hook(String session, String agent, String rest) {
        var of = agent.isEmpty() ? "" : ",\"agent_id\":\"" + agent + "\"";
        server.post(
                "/hooks/claude_code", "{\"session_id\":\"%s\"%s,%s}".formatted(session, of, rest));
    }

    private static String tool(String type, String call, String tool, String input) {
        return "\"hook_event_name\":\"%s\",\"tool_use_id\":\"%s\",\"tool_name\":\"%s\",\"tool_input\":%s"
                .formatted(type, call, tool, input);
    }

    /** Agents have other ids in each tree, and events come twice. */
    private void play(String session, String agent, String command) {
        hook(session, "", "\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"fix it\"");
        hook(session, agent, "\"hook_event_name\":\"SubagentStart\",\"agent_type\":\"x\"");
        var write = "{\"file_path\":\"/work/%s.txt\"}".formatted(command);
        for (int i = 0; i < 2; i++) {
            hook(
                    session,
                    agent,
                    tool("PreToolUse", "c1", "Write", "{\"file_path\":\"/work/a.txt\"}"));
        }
        hook(session, agent, tool("PreToolUse", "c2", "Edit", write));
        var commit =
                "\"tool_response\":{\"stdout\":\"[main 1a2b3c4] Fix %s\\n 1 file\"}"
                        .formatted(command);
        hook(
                session,
                "",
                tool("PostToolUse", "c3", "Bash", "{\"command\":\"git commit\"}") + "," + commit);
        hook(session, "", "\"hook_event_name\":\"SessionEnd\"");
    }

    private JsonNode compare(String one, String other) {
        return server.get("/sessions/" + one + "/compare?with=" + other);
    }

    @Test
    void the_first_difference_is_found_whatever_the_ids_are() {
        play("s", "a1", "one");
        play("t", "b9", "one");
        assertThat(compare("s", "t").get("same").asBoolean()).isTrue();
        play("u", "c5", "two");
        server.post("/sessions/u/usage", "{\"tokens\":700,\"cost_usd\":0.25}");
        var compared = compare("s", "u");
        assertThat(compared.get("same").asBoolean()).isFalse();
        assertThat(compared.get("common_steps").asInt()).isEqualTo(2);
        var row = compared.get("rows").get(2);
        assertThat(text(row.get("a"), "text")).isEqualTo("Edit: /work/one.txt");
        assertThat(text(row.get("b"), "text")).isEqualTo("Edit: /work/two.txt");
        assertThat(text(row.get("a"), "agent")).isEqualTo("0.1");
        assertThat(compared.at("/a/files").toString())
                .isEqualTo("[\"/work/a.txt\",\"/work/one.txt\"]");
        assertThat(text(compared.at("/b/commits/0"), "subject")).isEqualTo("Fix two");
        assertThat(compared.at("/b/tokens").asInt()).isEqualTo(700);
        assertThat(compared.at("/b/cost_micros").asInt()).isEqualTo(250_000);
        assertThat(compared.at("/a/sessions").asInt()).isEqualTo(2);
    }

    @Test
    void one_alone_has_no_steps_of_those_below() {
        play("s", "a1", "one");
        play("t", "b9", "two");
        var compared = server.get("/sessions/s/compare?with=t&alone=true");
        assertThat(compared.at("/a/files")).isEmpty();
        assertThat(compared.at("/a/sessions").asInt()).isEqualTo(1);
    }

    @Test
    void who_may_not_see_one_of_them_learns_nothing() {
        play("s", "a1", "one");
        play("t", "b9", "two");
        var agent = server.as(dev.coppice.access.Caller.agent(new SessionId("s")));
        assertThat(agent.get("/sessions/s/compare?with=t").status()).isEqualTo(404);
        assertThat(agent.get("/sessions/s/compare?with=s~a1").status()).isEqualTo(200);
    }
}
