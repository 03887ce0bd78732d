package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.client.RawClient;
import dev.coppice.kernel.SessionId;
import dev.coppice.telemetry.TelemetryFace;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.util.List;
import java.util.Map;

/** Senders that are confined to a tree, and what they can name outside of it. */
class WhoReportsTest {
    private final Caller server = new Caller(Map.of(), List.of(TelemetryFace::on));
    private String confined = "";

    @BeforeEach
    void two_trees() {
        server.post("/sessions", "{\"session_id\":\"a\",\"session_name\":\"a\"}");
        server.post("/sessions", "{\"session_id\":\"team:prod\",\"session_name\":\"prod\"}");
        var token = server.post("/tokens", "{\"role\":\"ingest\",\"below\":\"a\"}");
        confined = String.valueOf(text(token, "token"));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Caller.Sent send(String path, String body, String token) {
        return server.send("POST", path, body, Map.of("Authorization", "Bearer " + token));
    }

    private static String hook(String type, String session, String agent) {
        return """
        {"hook_event_name":"%s","session_id":"%s","agent_id":"%s","tool_name":"Bash",\
        "tool_input":{"command":"ls"},"cwd":"/work"}
        """
                .formatted(type, session, agent);
    }

    /** A root of another tree was failed, charged, and asked a planted question. */
    @Test
    void the_agent_of_a_sender_is_never_a_session_of_another_tree() {
        var agents =
                server.coordinator().token(dev.coppice.access.Caller.agent(new SessionId("a")));
        var before = server.get("/sessions/team:prod");
        var events = server.get("/sessions/team:prod/events");
        for (var token : List.of(confined, agents)) {
            send("/hooks/claude_code", hook("SubagentStop", "team", "prod"), token);
            send("/hooks/claude_code", hook("PermissionRequest", "team", "prod"), token);
            send(
                    "/v1/logs",
                    """
                    {"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1",
                    "eventName":"api_request","attributes":[
                    {"key":"session.id","value":{"stringValue":"team"}},
                    {"key":"agent_id","value":{"stringValue":"prod"}},
                    {"key":"request_id","value":{"stringValue":"r"}},
                    {"key":"cost_usd","value":{"doubleValue":135}}]}]}]}]}\
                    """,
                    token);
        }
        assertThat(server.get("/sessions/team:prod")).isEqualTo(before);
        assertThat(server.get("/sessions/team:prod/events")).isEqualTo(events);
        assertThat(server.get("/sessions/team:prod/usage").toString()).doesNotContain("135");
        assertThat(server.get("/sessions/team~prod").isEmpty()).isFalse();
    }

    /** The refusal named the id of the session, and another answer said that there is none. */
    @Test
    void the_name_of_a_session_of_another_tree_means_no_more_than_one_that_nobody_has() {
        for (var name : List.of("prod", "nobody")) {
            var answer =
                    server.send(
                            "POST",
                            "/hooks/claude_code",
                            hook("SessionStart", "of-" + name, ""),
                            Map.of(
                                    "Authorization",
                                    "Bearer " + confined,
                                    "X-Agent-Session-Name",
                                    name));
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).doesNotContain("team:prod");
            var known = server.get("/sessions/of-" + name).get("session");
            assertThat(text(known, "parent_session_id")).isEqualTo("a");
        }
    }

    @Test
    void no_caller_chooses_the_id_of_an_agent() {
        var refused = server.refused("/sessions", "{\"session_id\":\"team~prod\"}");
        assertThat(refused.body().toString()).contains("session_id", "team~prod");
        var run = "{\"session_id\":\"team~prod\",\"prompt\":\"x\"}";
        assertThat(server.refused("/runs", run).status()).isEqualTo(400);
        var event =
                "{\"source_app\":\"x\",\"session_id\":\"team~prod\",\"hook_event_type\":\"Stop\",\"payload\":{}}";
        assertThat(send("/events", event, confined).status()).isBetween(400, 499);
        var doubled = send("/hooks/claude_code", hook("SubagentStart", "team", "a~b"), confined);
        assertThat(doubled.status()).isEqualTo(200);
        assertThat(client().get("/sessions/team~a~b").status()).isEqualTo(404);
    }

    /** An agent that was moved to another tree is not the sender's, although its id says so. */
    @Test
    void an_agent_that_was_moved_out_of_the_senders_tree_is_not_reached() throws Exception {
        send("/hooks/claude_code", hook("SubagentStart", "team", "sub"), confined);
        assertThat(client().get("/sessions/team~sub").isGood()).isTrue();
        var order =
                "{\"children\":\"detach\",\"running\":\"stop\",\"critical\":\"override\",\"reason\":\"x\"}";
        server.post("/sessions/team/removal?wait=30s", order);
        var moved = server.get("/sessions/team~sub").get("session");
        assertThat(text(moved, "parent_session_id")).isNotEqualTo("team");
        var before = server.get("/sessions/team~sub/events").get("events").size();
        send("/hooks/claude_code", hook("SubagentStop", "team", "sub"), confined);
        assertThat(server.get("/sessions/team~sub/events").get("events").size()).isEqualTo(before);
    }

    private RawClient client() {
        return new RawClient(URI.create(server.coordinator().url()), server.token());
    }

    /** A parent agent answered its child's permission, and the program received it. */
    @Test
    void an_agent_answers_no_question_of_an_event() {
        var asked =
                send(
                        "/events",
                        """
                        {"source_app":"x","session_id":"kid","hook_event_type":"Ask","payload":{},
                        "parent_session_id":"a","humanInTheLoop":{"question":"go?"}}\
                        """,
                        server.token());
        var path = "/events/" + Json.read(asked.body()).get("id") + "/respond";
        var agent = server.coordinator().token(dev.coppice.access.Caller.agent(new SessionId("a")));
        assertThat(send(path, "{\"permission\":true}", agent).status()).isEqualTo(403);
        var answered =
                send(path, "{\"permission\":true,\"respondedBy\":\"the boss\"}", server.token());
        assertThat(answered.status()).isEqualTo(200);
        assertThat(answered.body()).doesNotContain("the boss").contains("ADMIN");
    }
}
