package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.client.RawClient;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.SessionId;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;

/** The limits, in bytes and number, of what one caller sends, reads or keeps open. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BoundedTest {
    private static final int LARGE = 900_000;
    private static final int EVENTS = 20;
    private final Caller server = Product.caller();

    @BeforeAll
    void a_session_with_large_events() {
        session("large");
        var text = "x".repeat(LARGE);
        for (int i = 0; i < EVENTS; i++) {
            server.post(
                    "/sessions/large/events",
                    "{\"event_type\":\"note\",\"number\":%d,\"text\":\"%s\"}".formatted(i, text));
        }
    }

    @AfterAll
    void close() {
        server.close();
    }

    private void session(String name) {
        server.post(
                "/sessions",
                "{\"session_id\":\"%s\",\"session_name\":\"%s\"}".formatted(name, name));
    }

    /** It was answered with "try again", and with forty lines in the log. */
    @Test
    void a_broken_escape_in_a_query_is_refused_on_every_path() {
        for (var path :
                List.of("/sessions", "/mcp", "/stream", "/sse/sessions", "/events/recent")) {
            for (var query : List.of("?x=%ff", "?x=%", "?x=%zz", "?%c3%28=1")) {
                for (var token : List.of(server.bearer(), "X-None: 1")) {
                    var answer = server.raw("GET", path + query, "", token);
                    assertThat(answer.status()).as(path + query).isEqualTo(400);
                    assertThat(answer.body()).as(path + query).contains("query");
                }
            }
        }
    }

    /** Written out, the first has 30 million digits; one of 600 million ended the coordinator. */
    @Test
    void a_number_that_takes_long_to_read_or_to_write_out_is_refused() {
        session("spender");
        var token = "Authorization: Bearer " + agent("spender");
        for (var number : List.of("1e-30000000", "9".repeat(100_000), "1e2147483648")) {
            for (var field : List.of("cost_usd", "tokens")) {
                var body = "{\"%s\":\"%s\"}".formatted(field, number);
                var answer = server.raw("POST", "/sessions/spender/usage", body, token);
                assertThat(answer.status()).as(field).isEqualTo(400);
            }
        }
        var spent = "{\"cost_usd\":\"2.5e-1\",\"tokens\":\"1e3\"}";
        assertThat(server.raw("POST", "/sessions/spender/usage", spent, token).status())
                .isEqualTo(200);
        var own = server.get("/sessions/spender/budget").get("own");
        assertThat(own.get("cost_micros").asLong()).isEqualTo(250_000);
        assertThat(own.get("tokens").asLong()).isEqualTo(1_000);
    }

    @Test
    void a_page_of_large_events_ends_early_and_the_next_continues_after_it() {
        var seen = new ArrayList<Integer>();
        var after = "0";
        while (after != null) {
            var page = server.get("/sessions/large/events?limit=1000&after=" + after);
            assertThat(page.toString().length()).isLessThan(2 * Bounds.PAGE_BYTES_MAX);
            numbers(page).forEach(seen::add);
            after = Json.text(page, "next");
        }
        assertThat(seen).hasSize(EVENTS).isSorted();
    }

    @Test
    void a_page_of_large_events_ends_early_backwards_too() {
        var seen = new ArrayList<Integer>();
        var before = "";
        while (before != null) {
            var page = server.get("/sessions/large/events?limit=1000" + before);
            assertThat(page.toString().length()).isLessThan(2 * Bounds.PAGE_BYTES_MAX);
            seen.addAll(0, numbers(page));
            var previous = Json.text(page, "previous");
            before = previous == null ? null : "&before=" + previous;
        }
        assertThat(seen).hasSize(EVENTS).isSorted();
    }

    private static List<Integer> numbers(JsonNode page) {
        var found = new ArrayList<Integer>();
        for (var event : page.get("events")) {
            if (event.has("number")) found.add(event.get("number").asInt());
        }
        return found;
    }

    /** The ring no longer has the first events, so they come from the journal. */
    @Test
    void a_follower_gets_more_events_than_are_held_in_memory() throws Exception {
        var received = new ArrayList<Integer>();
        server.client()
                .follow(
                        "/sse/sessions?session_id=large&after=0&types=event,note",
                        frame -> {
                            var event = Json.read(frame.data()).path("data");
                            if (event.has("number")) received.add(event.get("number").asInt());
                            return received.size() < EVENTS;
                        });
        assertThat(received).hasSize(EVENTS).isSorted();
    }

    @Test
    void the_streams_of_one_agent_are_limited_and_others_can_still_follow() throws IOException {
        session("greedy");
        var token = agent("greedy");
        var open = new ArrayList<Socket>();
        try {
            int status = 200;
            while (status == 200 && open.size() < 100) {
                var socket =
                        server.hungUp("GET", "/sse/sessions", "", "Authorization: Bearer " + token);
                open.add(socket);
                status = status(socket);
            }
            assertThat(status).isEqualTo(429);
            assertThat(open).hasSize(17);
            try (var other = server.hungUp("GET", "/sse/sessions?after=0", "", server.bearer())) {
                assertThat(status(other)).isEqualTo(200);
            }
        } finally {
            for (var socket : open) socket.close();
        }
    }

    /** Freezes and joins write an event, too. */
    @Test
    void in_a_full_tree_an_agent_is_refused_freezes_and_joins() {
        server.post("/sessions", "{\"session_id\":\"tight\",\"limits\":{\"event_bytes\":2000}}");
        server.post("/sessions", "{\"session_id\":\"sub\",\"parent_session_id\":\"tight\"}");
        var token = "Authorization: Bearer " + agent("tight");
        int freezes = 0;
        while (server.raw("POST", "/sessions/sub/freeze", "{}", token).status() == 200) {
            var thawed = server.raw("POST", "/sessions/sub/thaw", "{}", token);
            assertThat(thawed.status()).as("a frozen session can be thawed").isEqualTo(200);
            assertThat(++freezes).isLessThan(50);
        }
        var refused = server.raw("POST", "/sessions/sub/freeze", "{}", token);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body()).contains("'event_bytes' of 2000 bytes");
        var join = server.raw("POST", "/sessions/tight/joins", "{\"children\":[\"sub\"]}", token);
        assertThat(join.status()).isEqualTo(409);
        assertThat(join.body()).contains("'event_bytes' of 2000 bytes");
        assertThat(server.raw("POST", "/sessions/sub/freeze", "{}", server.bearer()).status())
                .isEqualTo(200);
    }

    /** Each undone removal leaves a backup. */
    @Test
    void an_agent_can_remove_and_undo_a_session_ten_times() {
        session("mother");
        server.post("/sessions", "{\"session_id\":\"again\",\"parent_session_id\":\"mother\"}");
        var mother = new RawClient(URI.create(server.coordinator().url()), agent("mother"));
        for (int i = 0; i < 10; i++) {
            var stop = Json.object().put("running", "stop");
            var removed = mother.post("/sessions/again/removal?wait=30s", stop);
            assertThat(removed.isGood()).as(removed.body().toString()).isTrue();
            var id = Json.text(removed.body(), "removal_id");
            var undone = mother.post("/removals/" + id + "/undo?wait=30s", Json.object());
            assertThat(undone.isGood()).as(undone.body().toString()).isTrue();
            await(() -> mother.get("/sessions/again").isGood());
        }
        var refused = mother.post("/sessions/again/removal", Json.object());
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).contains("already removed 10 times");
    }

    @Test
    void the_audited_refusals_of_an_agent_are_limited() {
        session("nag");
        server.post("/sessions", "{\"session_id\":\"nagged\",\"parent_session_id\":\"nag\"}");
        var token = "Authorization: Bearer " + agent("nag");
        for (int i = 0; i < 70; i++) {
            var now = "{\"purge\":\"now\"}";
            assertThat(server.raw("POST", "/sessions/nagged/removal", now, token).status())
                    .isEqualTo(403);
        }
        assertThat(server.get("/audit?session_id=nagged&limit=1000").get("records")).hasSize(60);
    }

    private static int status(Socket socket) throws IOException {
        var line =
                new String(
                        socket.getInputStream().readNBytes(12),
                        java.nio.charset.StandardCharsets.US_ASCII);
        return Integer.parseInt(line.substring(9));
    }

    private String agent(String session) {
        return server.coordinator().token(dev.coppice.access.Caller.agent(new SessionId(session)));
    }

    @Test
    void a_token_expires_with_its_session_and_is_invalid_for_a_later_one_with_the_same_id() {
        session("short");
        var client = server.as(dev.coppice.access.Caller.agent(new SessionId("short")));
        assertThat(client.get("/sessions/short").status()).isEqualTo(200);
        server.post("/sessions/short/removal", "{\"purge\":\"now\",\"running\":\"stop\"}");
        await(() -> server.client().get("/sessions/short").status() != 200);
        assertThat(client.get("/sessions/short").status()).isEqualTo(401);
        await(() -> server.client().post("/sessions", Json.read(SHORT)).isGood());
        assertThat(server.get("/sessions/short").get("session")).isNotNull();
        assertThat(client.get("/sessions/short").status()).isEqualTo(401);
    }

    private static final String SHORT = "{\"session_id\":\"short\",\"session_name\":\"short\"}";

    private static void await(Supplier<Boolean> condition) {
        long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.get()) {
            assertThat(System.nanoTime()).as("the condition holds in time").isLessThan(until);
            Thread.onSpinWait();
        }
    }

    @Test
    void values_of_a_blueprint_are_shown_only_to_callers_that_may_set_them() {
        server.post(
                "/agents",
                "{\"name\":\"keyed\",\"kind\":\"command\",\"command\":[\"true\"],\"env\":{\"API_KEY\":\"s3cret\"}}");
        session("reader");
        for (var caller :
                List.of(
                        dev.coppice.access.Caller.as(dev.coppice.access.Role.VIEWER),
                        dev.coppice.access.Caller.as(dev.coppice.access.Role.RUNNER),
                        dev.coppice.access.Caller.agent(new SessionId("reader")))) {
            for (var path : List.of("/agents/keyed", "/agents")) {
                var shown = server.as(caller).get(path).body().toString();
                assertThat(shown).contains("API_KEY").doesNotContain("s3cret");
            }
        }
        assertThat(server.get("/agents/keyed").toString()).contains("s3cret");
    }

    @Test
    void ids_with_a_meaning_in_paths_are_refused() {
        for (var id : List.of(".", "..")) {
            var body = "{\"session_id\":\"%s\",\"session_name\":\"dots\"}".formatted(id);
            assertThat(server.refused("/sessions", body).status()).isEqualTo(400);
        }
    }

    @Test
    void a_wait_is_at_most_a_day() {
        var answer = server.client().get("/runs/run_1?wait=300000000h");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.problem().error()).contains("wait", "at most a day");
    }

    @Test
    void a_body_is_bounded_by_its_sender_before_and_after_compression() throws Exception {
        session("writer");
        var ingest = Json.text(server.post("/tokens", "{\"role\":\"ingest\"}"), "token");
        for (var token : List.of(agent("writer"), String.valueOf(ingest))) {
            assertThat(packed(3, token)).isEqualTo(400);
            assertThat(packed(5, token)).isEqualTo(413);
            assertThat(declared(5, token)).isEqualTo(413);
        }
        assertThat(packed(5, server.token())).isEqualTo(400);
        assertThat(packed(17, server.token())).isEqualTo(413);
        assertThat(declared(17, server.token())).isEqualTo(413);
    }

    @Test
    void the_answer_of_a_tool_says_so_if_it_is_too_large() {
        var metadata = "{\"metadata\":{\"x\":\"%s\"}}".formatted("y".repeat(60_000));
        for (int i = 0; i < 40; i++) server.post("/sessions", metadata);
        assertThat(listed(1_000)).contains("at most 2097152", "\"isError\":true");
        assertThat(listed(5)).contains("yyyy").doesNotContain("isError\":true");
    }

    private String listed(int limit) {
        var call =
                """
                {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{
                 "name":"list_agent_sessions","arguments":{"limit":%d}}}\
                """
                        .formatted(limit);
        var headers =
                Map.of(
                        "Accept",
                        "application/json, text/event-stream",
                        "Authorization",
                        "Bearer " + server.token(),
                        "MCP-Protocol-Version",
                        "2025-06-18");
        return server.send("POST", "/mcp", call, headers).body();
    }

    /** Callers without a token shared the requests and the memory of viewers, with 16 MB each. */
    @Test
    void a_body_without_a_token_is_small() {
        var code = "{\"code\":\"%s\"}".formatted("x".repeat(100_000));
        assertThat(server.send("POST", "/sign-ins", code, Map.of()).status()).isEqualTo(413);
    }

    /** The status for a body that unpacks to so many megabytes, and is no event. */
    private int packed(int megabytes, String token) throws Exception {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(" ".repeat(megabytes * 1024 * 1024).getBytes(StandardCharsets.US_ASCII));
        }
        var request =
                HttpRequest.newBuilder(URI.create(server.coordinator().url() + "/events"))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Encoding", "gzip")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(packed.toByteArray()))
                        .build();
        try (var http = HttpClient.newHttpClient()) {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    /** The status for a body of so many megabytes, of which the beginning is sent. */
    private int declared(int megabytes, String token) throws IOException {
        var uri = URI.create(server.coordinator().url());
        var head =
                "POST /events HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n"
                        .formatted(uri.getAuthority(), token, megabytes * 1024 * 1024);
        try (var socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            // As much as the server reads of a refused body.
            socket.getOutputStream().write(new byte[256 * 1024]);
            return status(socket);
        }
    }

    @Test
    void a_malformed_chunked_body_is_a_bad_request() throws IOException {
        var uri = java.net.URI.create(server.coordinator().url());
        try (var socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.getOutputStream()
                    .write(
                            ("POST /sessions HTTP/1.1\r\nHost: "
                                            + uri.getAuthority()
                                            + "\r\n"
                                            + server.bearer()
                                            + "\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n")
                                    .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            assertThat(status(socket)).isEqualTo(400);
        }
    }
}
