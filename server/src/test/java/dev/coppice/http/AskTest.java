package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Role;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/** Programs that wait for a person's answer, answers in advance, and what needs no person. */
class AskTest {
    private final Caller server = new Caller();

    @AfterEach
    void stop() {
        server.close();
    }

    private static String event(String type, String session, String agent, String command) {
        return """
        {"hook_event_name":"%s","session_id":"%s"%s,"tool_name":"Bash",\
        "tool_input":{"command":"%s"},"tool_use_id":"call-1","cwd":"/work/shop"}
        """
                .formatted(
                        type,
                        session,
                        agent.isEmpty() ? "" : ",\"agent_id\":\"" + agent + "\"",
                        command);
    }

    private Caller.Sent hook(String path, String body) {
        return server.send(
                "POST",
                "/hooks/" + path,
                body,
                Map.of("Authorization", "Bearer " + server.token()));
    }

    private CompletableFuture<JsonNode> asking(String command) {
        return asking("claude_code?hold=60", event("PermissionRequest", "s", "", command));
    }

    private CompletableFuture<JsonNode> asking(String path, String body) {
        return CompletableFuture.supplyAsync(() -> hook(path, body).json());
    }

    private JsonNode open() {
        Eventually.await(
                () -> !server.get("/asks").get("asks").isEmpty(), () -> "no question is open");
        return server.get("/asks").get("asks").get(0);
    }

    private JsonNode answer(JsonNode ask, String more) {
        return server.post("/asks/" + text(ask, "ask_id") + "/answer", more);
    }

    private static String decision(JsonNode answer) {
        return answer.at("/hookSpecificOutput/decision/behavior").asString("none");
    }

    private static String before(JsonNode answer) {
        return answer.at("/hookSpecificOutput/permissionDecision").asString("none");
    }

    private String before(String session, String command) {
        return before(hook("claude_code", event("PreToolUse", session, "", command)).json());
    }

    @Test
    void a_person_answers_and_the_waiting_program_hears_it() {
        var first = asking("npm test");
        var ask = open();
        assertThat(text(ask, "subject")).isEqualTo("npm test");
        assertThat(text(ask, "pattern")).isEqualTo("Bash(npm test)");
        var question = server.get("/sessions/s/health").findValue("question");
        assertThat(text(question, "answer")).isEqualTo("held");
        assertThat(text(question, "ask_id")).isEqualTo(text(ask, "ask_id"));
        answer(ask, "{\"answer\":\"allow\"}");
        assertThat(decision(first.join())).isEqualTo("allow");
        var second = asking("rm -rf /");
        answer(open(), "{\"answer\":\"deny\",\"reason\":\"not the root\"}");
        assertThat(decision(second.join())).isEqualTo("deny");
        assertThat(second.join().toString()).contains("not the root");
        var late = "/asks/" + text(ask, "ask_id") + "/answer";
        assertThat(server.refused(late, "{\"answer\":\"deny\"}").status()).isEqualTo(409);
        assertThat(server.get("/audit").toString()).contains("answer_ask", "not the root");
        assertThat(server.get("/asks?all=true").get("asks")).hasSize(2);
        assertThat(server.get("/sessions/s/events").toString())
                .contains("question_held", "question_allowed", "question_denied");
    }

    @Test
    void descendants_inherit_an_answer_until_it_is_revoked() {
        var first = asking("npm test");
        answer(open(), "{\"answer\":\"allow\",\"for\":\"1h\",\"match\":\"Bash(npm *)\"}");
        assertThat(decision(first.join())).isEqualTo("allow");
        hook("claude_code", event("SubagentStart", "s", "a1", ""));
        var child = event("PermissionRequest", "s", "a1", "npm run build");
        assertThat(decision(hook("claude_code?hold=60", child).json())).isEqualTo("allow");
        var other = event("PermissionRequest", "t", "", "npm test");
        assertThat(decision(hook("claude_code", other).json())).isEqualTo("none");
        var sneaky = event("PermissionRequest", "s", "a1", "npm test; reboot");
        assertThat(decision(hook("claude_code", sneaky).json())).isEqualTo("none");
        var standing = server.get("/standing-answers").get("standing_answers").get(0);
        assertThat(text(standing, "state")).isEqualTo("holds");
        assertThat(standing.get("uses").asInt()).isEqualTo(1);
        var id = text(standing, "standing_answer_id");
        assertThat(server.client().delete("/standing-answers/" + id).status()).isEqualTo(200);
        assertThat(decision(hook("claude_code", child).json())).isEqualTo("none");
        assertThat(text(server.get("/standing-answers").get("standing_answers").get(0), "state"))
                .isEqualTo("revoked");
        assertThat(server.get("/audit").toString()).contains("revoke_standing_answer");
    }

    @Test
    void an_answer_in_advance_settles_nothing_that_a_nearer_one_decides() {
        hook("claude_code", event("SubagentStart", "s", "a1", ""));
        var near = "{\"match\":\"Bash(npm test)\",\"answer\":\"ask\"}";
        server.post("/sessions/s~a1/standing-answers", near);
        var body = event("PermissionRequest", "s", "a1", "npm test");
        var waiting = asking("claude_code?hold=60", body);
        open();
        server.post("/sessions/s/standing-answers", near.replace("ask", "allow"));
        assertThat(text(open(), "state")).isEqualTo("open");
        server.post("/sessions/s~a1/standing-answers", near.replace("ask", "deny"));
        assertThat(decision(waiting.join())).isEqualTo("deny");
    }

    @Test
    void an_answer_in_advance_settles_what_is_open_and_can_ask_or_deny() {
        var waiting = asking("npm test");
        open();
        server.post(
                "/sessions/s/standing-answers",
                "{\"match\":\"Bash(npm test)\",\"answer\":\"allow\",\"for\":\"1h\"}");
        assertThat(decision(waiting.join())).isEqualTo("allow");
        server.post(
                "/sessions/s/standing-answers",
                "{\"match\":\"Bash(git push*)\",\"answer\":\"ask\"}");
        server.post(
                "/sessions/s/standing-answers",
                "{\"match\":\"Bash(rm *)\",\"answer\":\"deny\",\"reason\":\"keep it\"}");
        assertThat(before("s", "git push --force")).isEqualTo("ask");
        assertThat(before("s", "rm x")).isEqualTo("deny");
        assertThat(before("s", "ls")).isEqualTo("none");
        assertThat(server.get("/sessions/s/events").toString()).contains("tool_denied", "keep it");
        // A program that cannot ask by itself waits here.
        var gemini =
                asking(
                        "gemini?hold=60",
                        """
                        {"hook_event_name":"BeforeTool","session_id":"s","tool_name":"Bash",
                         "tool_input":{"command":"git push"}}
                        """);
        answer(open(), "{\"answer\":\"deny\"}");
        assertThat(text(gemini.join(), "decision")).isEqualTo("deny");
    }

    @Test
    void what_nobody_answers_is_left_to_the_program_or_denied() {
        var body = event("PermissionRequest", "s", "", "ls");
        assertThat(hook("claude_code?hold=1", body).json()).isEmpty();
        // The program asks in its own window now, so a person is still needed.
        var still = server.get("/activity").get("sessions").get(0);
        assertThat(text(still, "attention")).isEqualTo("asks");
        assertThat(decision(hook("claude_code?hold=1&otherwise=deny", body).json()))
                .isEqualTo("deny");
        assertThat(server.get("/asks?all=true").toString()).contains("unanswered");
        for (var bad : List.of("hold=0", "hold=3601", "hold=x", "hold=1&otherwise=allow")) {
            assertThat(hook("claude_code?" + bad, body).status()).as(bad).isEqualTo(400);
        }
    }

    /** Claude Code asks in its own window too, and keeps the hook waiting when it is answered. */
    @Test
    void an_answer_in_the_programs_own_window_ends_the_question() {
        var one = asking("npm test");
        open();
        hook("claude_code", event("PostToolUse", "s", "", "ls"));
        assertThat(text(open(), "state")).isEqualTo("open");
        hook("claude_code", event("PostToolUse", "s", "", "npm test"));
        assertThat(decision(one.join())).isEqualTo("none");
        assertThat(server.get("/asks?all=true").toString()).contains("withdrawn");
        var two = asking("npm test");
        open();
        hook("claude_code", "{\"hook_event_name\":\"Stop\",\"session_id\":\"s\"}");
        assertThat(decision(two.join())).isEqualTo("none");
    }

    @Test
    void a_program_that_hangs_up_withdraws_its_question() throws IOException {
        var body = event("PermissionRequest", "s", "", "ls");
        var socket = server.hungUp("POST", "/hooks/claude_code?hold=600", body, server.bearer());
        open();
        socket.close();
        Eventually.await(
                () -> server.get("/asks?all=true").toString().contains("withdrawn"),
                () -> server.get("/asks?all=true").toString());
    }

    @Test
    void a_session_with_too_many_open_questions_is_not_held() throws IOException {
        var body = event("PermissionRequest", "s", "", "ls");
        var sockets = new ArrayList<Closeable>();
        for (int i = 0; i < 32; i++) {
            sockets.add(
                    server.hungUp("POST", "/hooks/claude_code?hold=600", body, server.bearer()));
        }
        Eventually.await(
                () -> server.get("/asks?limit=100").get("asks").size() == 32,
                () -> server.get("/asks?limit=100").toString());
        var denied = hook("claude_code?hold=600&otherwise=deny", body).json();
        assertThat(decision(denied)).isEqualTo("deny");
        assertThat(denied.toString()).contains("too many questions are open");
        for (var socket : sockets) socket.close();
    }

    @Test
    void a_stop_a_budget_and_a_limit_reach_programs_by_their_hooks() {
        hook("claude_code", event("UserPromptSubmit", "s", "", ""));
        assertThat(before("s", "ls")).isEqualTo("none");
        server.post("/sessions/s/stop", "{}");
        assertThat(before("s", "ls")).isEqualTo("deny");
        // Whoever has the token of the hook could have sent this.
        hook("claude_code", event("UserPromptSubmit", "s", "", ""));
        assertThat(before("s", "ls")).isEqualTo("deny");
        server.post("/sessions/s/thaw", "{}");
        assertThat(before("s", "ls")).isEqualTo("none");
        budget("s", "{\"tokens\":100}");
        assertThat(before("s", "ls")).isEqualTo("none");
        server.post("/sessions/s/usage", "{\"tokens\":100}");
        assertThat(before("s", "ls")).isEqualTo("deny");
        hook("claude_code", event("UserPromptSubmit", "t", "", ""));
        budget("t", "{\"sessions\":1}");
        assertThat(before("t", "ls")).isEqualTo("none");
        var agent =
                """
                {"hook_event_name":"PreToolUse","session_id":"t","tool_name":"Agent",
                 "tool_use_id":"c","tool_input":{"subagent_type":"x"}}
                """;
        var denied = hook("claude_code", agent).json();
        assertThat(before(denied)).isEqualTo("deny");
        assertThat(denied.toString()).contains("1 of 1 sessions used");
    }

    /** An agent above resumed the program by a thaw. */
    @Test
    void an_agent_above_does_not_end_the_stop_of_a_program() {
        server.post("/sessions", "{\"session_id\":\"above\"}");
        var made = server.post("/tokens", "{\"role\":\"ingest\",\"below\":\"above\"}");
        var prompt = event("UserPromptSubmit", "s", "", "");
        var below = Map.of("Authorization", "Bearer " + text(made, "token"));
        server.send("POST", "/hooks/claude_code", prompt, below);
        server.post("/sessions/s/stop", "{}");
        var agent = server.as(dev.coppice.access.Caller.agent(new SessionId("above")));
        assertThat(agent.post("/sessions/s/thaw", Json.object()).isGood()).isTrue();
        assertThat(before("s", "ls")).isEqualTo("deny");
        server.post("/sessions/s/thaw", "{}");
        assertThat(before("s", "ls")).isEqualTo("none");
    }

    @Test
    void a_prompt_from_the_own_process_of_a_stopped_session_resumes_it_and_is_audited()
            throws IOException {
        stopped(ProcessHandle.current().pid());
        hook("claude_code", event("UserPromptSubmit", "s", "", ""));
        assertThat(before("s", "ls")).isEqualTo("none");
        assertThat(server.get("/audit").toString()).contains("resume_by_prompt");
    }

    @Test
    void a_prompt_from_another_process_resumes_no_stopped_session() throws IOException {
        var program = new ProcessBuilder("sleep", "600").start();
        try {
            stopped(program.pid());
            hook("claude_code", event("UserPromptSubmit", "s", "", ""));
            assertThat(before("s", "ls")).isEqualTo("deny");
            assertThat(server.get("/audit").toString()).doesNotContain("resume_by_prompt");
        } finally {
            program.destroyForcibly();
        }
    }

    /** The session "s", whose process a runner has confirmed, is stopped. */
    private void stopped(long pid) throws IOException {
        var host = InetAddress.getLocalHost().getHostName();
        server.post(
                "/runner/register",
                """
                {"hostname":"%s","project_dir":"/","executor_profile":"p",
                 "protocol":"coppice/1","holds":[]}\
                """
                        .formatted(host));
        hook("claude_code", event("UserPromptSubmit", "s", "", ""));
        server.post(
                "/processes",
                """
                {"session_id":"s","hostname":"%s","pid":%d,"start":"boot","program":"claude_code",
                 "project_dir":"/work/shop","may_stop":false}\
                """
                        .formatted(host, pid));
        server.post("/sessions/s/stop", "{}");
        assertThat(before("s", "ls")).isEqualTo("deny");
    }

    /** One token with invented sessions took all places, and a real question was denied at once. */
    @Test
    void one_token_leaves_places_for_the_questions_of_others() {
        var ingest = text(server.post("/tokens", "{\"role\":\"ingest\"}"), "token");
        assertPlacesAreLeft(260, 10, String.valueOf(ingest), i -> "invented-" + i);
    }

    /** Seven sessions may have 224 open questions, but those of one tree only 200. */
    @Test
    void one_tree_leaves_places_for_the_questions_of_others() {
        server.post("/sessions", "{\"session_id\":\"tree\"}");
        for (int i = 0; i < 7; i++) {
            server.post(
                    "/sessions",
                    "{\"session_id\":\"of-tree-%d\",\"parent_session_id\":\"tree\"}".formatted(i));
        }
        assertPlacesAreLeft(224, 24, server.token(), i -> "of-tree-" + i % 7);
    }

    /** Asks so many questions; so many are denied at once, and yet another session may ask. */
    private void assertPlacesAreLeft(
            int questions, int denied, String token, IntFunction<String> session) {
        var waiting = new ArrayList<CompletableFuture<HttpResponse<String>>>();
        try (var http = HttpClient.newHttpClient()) {
            var address = server.coordinator().url() + "/hooks/claude_code?hold=600&otherwise=deny";
            for (int i = 0; i < questions; i++) {
                var body = event("PermissionRequest", session.apply(i), "", "ls");
                var request =
                        HttpRequest.newBuilder(URI.create(address))
                                .header("Authorization", "Bearer " + token)
                                .POST(HttpRequest.BodyPublishers.ofString(body));
                waiting.add(http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString()));
            }
            Eventually.await(
                    () -> waiting.stream().filter(CompletableFuture::isDone).count() >= denied,
                    () -> waiting.stream().filter(CompletableFuture::isDone).count() + " denied");
            var real = asking("npm test");
            Eventually.await(() -> isOpen("npm test"), () -> "the real question is not open");
            assertThat(real).isNotDone();
            http.shutdownNow();
        }
    }

    private boolean isOpen(String subject) {
        return server.get("/asks?limit=1000").toString().contains(subject);
    }

    @Test
    void our_mod_hears_before_and_tells_after_the_birth_of_a_subagent() {
        var spawn =
                """
                {"hook_event_name":"AgentSpawn","session_id":"m","tool_name":"Agent",\
                "tool_use_id":"c1","agent_id":"%s","tool_input":{"subagent_type":"x"}}
                """;
        assertThat(hook("claude_code", spawn.formatted("")).body()).isEqualTo("{}");
        hook(
                "claude_code",
                """
                {"hook_event_name":"AgentSpawned","session_id":"m","agent_id":"b",\
                "agent_type":"x","parent_agent_id":"a"}
                """);
        assertThat(text(server.get("/sessions/m~b").get("session"), "parent_session_id"))
                .isEqualTo("m~a");
        assertThat(server.get("/sessions/m~b/relations").toString())
                .contains("\"evidence\":\"mod\"");
        budget("m", "{\"sessions\":3}");
        var denied = hook("claude_code", spawn.formatted("b")).json();
        assertThat(text(denied, "decision")).isEqualTo("deny");
        assertThat(text(denied, "reason")).contains("3 of 3 sessions used");
    }

    private void budget(String session, String amounts) {
        var path = "/sessions/" + session + "/budget";
        assertThat(server.client().call("PUT", path, Json.read(amounts), Map.of()).isGood())
                .isTrue();
    }

    @Test
    void agents_decide_nothing_not_even_below_themselves() {
        hook("claude_code", event("UserPromptSubmit", "s", "", ""));
        var waiting = asking("npm test");
        var id = text(open(), "ask_id");
        var agent = server.as(dev.coppice.access.Caller.agent(new SessionId("s")));
        var body = Json.read("{\"answer\":\"allow\"}");
        assertThat(agent.post("/asks/" + id + "/answer", body).status()).isEqualTo(403);
        var standing = Json.read("{\"match\":\"Bash\",\"answer\":\"allow\"}");
        assertThat(agent.post("/sessions/s/standing-answers", standing).status()).isEqualTo(403);
        var viewer = server.as(dev.coppice.access.Caller.as(Role.VIEWER));
        assertThat(viewer.post("/asks/" + id + "/answer", body).status()).isEqualTo(403);
        assertThat(viewer.get("/asks").body().toString()).contains(id);
        answer(open(), "{\"answer\":\"deny\"}");
        assertThat(decision(waiting.join())).isEqualTo("deny");
    }

    @Test
    void a_refused_answer_leaves_the_question_open() {
        var waiting = asking("npm test");
        var path = "/asks/" + text(open(), "ask_id") + "/answer";
        for (var bad :
                List.of(
                        "{\"answer\":\"maybe\"}",
                        "{\"answer\":\"allow\",\"below\":\"s\"}",
                        "{\"answer\":\"allow\",\"match\":\"Bash\"}",
                        "{\"answer\":\"allow\",\"for\":\"1h\",\"match\":\"Bash(ls)\"}",
                        "{\"answer\":\"allow\",\"for\":\"1h\",\"match\":\"((\"}",
                        "{\"answer\":\"allow\",\"for\":\"31d\"}",
                        "{\"answer\":\"allow\",\"for\":\"1h\",\"below\":\"none\"}")) {
            server.refused(path, bad);
            assertThat(text(open(), "state")).as(bad).isEqualTo("open");
        }
        server.post("/asks/" + text(open(), "ask_id") + "/answer", "{\"answer\":\"allow\"}");
        assertThat(decision(waiting.join())).isEqualTo("allow");
        assertThat(server.refused("/asks/ask_none/answer", "{\"answer\":\"allow\"}").status())
                .isEqualTo(404);
    }
}
