package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The token of a program's hooks tells of what the program does, and of nothing else. */
class SenderTest {
    private final Caller server = Product.caller();

    @AfterEach
    void close() {
        server.close();
    }

    /** A token of the hooks with this name. */
    private String token(String source) {
        var body = "{\"role\":\"ingest\",\"source\":\"%s\"}".formatted(source);
        return String.valueOf(text(server.post("/tokens", body), "token"));
    }

    private int tell(String token, String session, String more) {
        return tell(token, session, more, Map.of());
    }

    private int tell(String token, String session, String more, Map<String, String> headers) {
        var body =
                "{\"session_id\":\"%s\",\"hook_event_name\":\"PreToolUse\"%s}"
                        .formatted(session, more);
        var all = new HashMap<>(headers);
        all.put("Authorization", "Bearer " + token);
        return server.send("POST", "/hooks/opencode", body, all).status();
    }

    private int count(String session) {
        return server.get("/sessions/" + session + "/events").get("events").size();
    }

    @Test
    void hooks_tell_only_of_sessions_of_which_they_told_first() {
        assertThat(tell(server.token(), "theirs", "")).isEqualTo(200);
        int before = count("theirs");
        var hooks = token("mine");
        assertThat(tell(hooks, "own", "")).isEqualTo(200);
        assertThat(tell(hooks, "own", "")).isEqualTo(200);
        assertThat(tell(hooks, "below", ",\"parent_session_id\":\"own\"")).isEqualTo(200);
        assertThat(tell(hooks, "theirs", "")).isEqualTo(404);
        assertThat(tell(hooks, "stray", ",\"parent_session_id\":\"theirs\"")).isEqualTo(404);
        assertThat(count("theirs")).isEqualTo(before);
    }

    @Test
    void another_token_of_the_same_hooks_reaches_their_sessions_and_that_of_others_does_not() {
        assertThat(tell(token("mine"), "own", "")).isEqualTo(200);
        assertThat(tell(token("mine"), "own", "")).isEqualTo(200);
        assertThat(tell(token("another"), "own", "")).isEqualTo(404);
    }

    @Test
    void an_agent_that_a_transcript_told_of_first_is_that_of_its_session() {
        var hooks = token("mine");
        assertThat(tell(hooks, "own", "")).isEqualTo(200);
        assertThat(tell(server.token(), "own", ",\"agent_id\":\"sub\"")).isEqualTo(200);
        int before = count("own~sub");
        assertThat(tell(hooks, "own", ",\"agent_id\":\"sub\"")).isEqualTo(200);
        assertThat(count("own~sub")).isEqualTo(before + 1);
    }

    @Test
    void hooks_do_nothing_but_tell() {
        var hooks = token("mine");
        assertThat(tell(hooks, "own", "")).isEqualTo(200);
        var bearer = Map.of("Authorization", "Bearer " + hooks);
        for (var path :
                List.of(
                        "/events",
                        "/events/batch",
                        "/sessions/own/events",
                        "/api/sessions/spawn",
                        "/api/agents/start",
                        "/tokens",
                        "/sign-in-links")) {
            assertThat(server.send("POST", path, "{}", bearer).status()).as(path).isEqualTo(403);
        }
        assertThat(server.send("GET", "/sessions", "", bearer).status()).isEqualTo(403);
    }

    /** A person's hooks are also those of the programs that Coppice starts. */
    @Test
    void hooks_tell_of_a_run_only_with_the_token_of_the_run() {
        server.post("/sessions", "{\"session_id\":\"ours\",\"session_name\":\"ours\"}");
        int before = count("ours");
        var hooks = token("mine");
        var named = Map.of("X-Agent-Session-Name", "ours");
        assertThat(tell(hooks, "its-own", "", named)).isEqualTo(200);
        assertThat(count("ours")).isEqualTo(before);
        var agent =
                server.coordinator().token(dev.coppice.access.Caller.agent(new SessionId("ours")));
        assertThat(tell(hooks, "another", "", Map.of("X-Agent-Token", agent))).isEqualTo(200);
        assertThat(count("ours")).isEqualTo(before + 1);
        assertThat(text(server.get("/sessions/another/status"), "status"))
                .isEqualTo("not_existent");
    }

    @Test
    void our_mod_asks_for_a_run_only_with_the_token_of_the_run() {
        server.post("/sessions", "{\"session_id\":\"ours\",\"session_name\":\"ours\"}");
        var binding = "{\"executor_session_id\":\"its-own\",\"executor_profile\":\"x\"}";
        server.post("/sessions/ours/bind", binding);
        var none = Json.read("{\"sessions\":1}");
        assertThat(server.client().call("PUT", "/sessions/ours/budget", none, Map.of()).isGood())
                .isTrue();
        var run =
                server.coordinator().token(dev.coppice.access.Caller.agent(new SessionId("ours")));
        assertThat(spawn(Map.of())).isEqualTo("{}");
        assertThat(spawn(Map.of("X-Agent-Token", run))).contains("deny", "1 of 1 sessions used");
    }

    private String spawn(Map<String, String> more) {
        var body =
                """
                {"hook_event_name":"AgentSpawn","session_id":"its-own","tool_name":"Agent",\
                "tool_use_id":"c1","tool_input":{"subagent_type":"x"}}
                """;
        var all = new HashMap<>(more);
        all.put("Authorization", "Bearer " + token("mine"));
        return server.send("POST", "/hooks/claude_code", body, all).body();
    }

    @Test
    void an_agent_that_claims_the_session_of_a_program_gets_nothing_of_it() {
        var hooks = token("mine");
        assertThat(tell(hooks, "own", "")).isEqualTo(200);
        server.post("/sessions", "{\"session_id\":\"ours\",\"session_name\":\"ours\"}");
        var agent = server.as(dev.coppice.access.Caller.agent(new SessionId("ours")));
        var claim = Json.read("{\"executor_session_id\":\"own\",\"executor_profile\":\"x\"}");
        assertThat(agent.post("/sessions/ours/bind", claim).isGood()).isTrue();
        int claimed = count("ours");
        int before = count("own");
        assertThat(tell(hooks, "own", "")).isEqualTo(200);
        assertThat(count("own")).isEqualTo(before + 1);
        assertThat(count("ours")).isEqualTo(claimed);
    }

    @Test
    void all_hooks_tell_of_a_session_whose_program_a_person_took_in() throws Exception {
        assertThat(tell(server.token(), "found", "")).isEqualTo(200);
        var hooks = token("mine");
        assertThat(tell(hooks, "found", "")).isEqualTo(404);
        try (var database = server.database();
                var statement = database.createStatement()) {
            statement.execute(
                    """
                    insert into outside_process (session, host, pid, program, consent)
                    select key, 'h', 1, 'codex', 'watch' from any_session where id = 'found'
                    """);
        }
        assertThat(tell(hooks, "found", "")).isEqualTo(200);
    }

    @Test
    void only_a_token_of_hooks_has_a_source() {
        assertThat(server.refused("/tokens", "{\"role\":\"viewer\",\"source\":\"x\"}").status())
                .isEqualTo(400);
    }
}
