package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpServer;

import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Eventually;
import dev.coppice.scene.Temporary;
import dev.coppice.telemetry.TelemetryFace;
import dev.coppice.wire.Json;

import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

/** Tokens, cost and edges from telemetry, hooks and transcripts: each call is counted once. */
class TelemetryTest {
    private static final String MODEL = "claude-sonnet-4-5";
    private static final long NOW = Instant.parse("2026-11-26T10:00:00Z").toEpochMilli();
    private final Path transcripts = Temporary.directory("coppice-transcripts");
    private final Caller server =
            new Caller(
                    Map.of("COPPICE_TRANSCRIPTS", transcripts.toString()),
                    List.of(TelemetryFace::on));

    @AfterEach
    void stop() {
        server.close();
    }

    private static String attributes(String... pairs) {
        var text = new StringBuilder();
        for (int i = 0; i < pairs.length; i += 2) {
            var value = pairs[i + 1];
            boolean isNumber = !value.isEmpty() && value.chars().allMatch(Character::isDigit);
            text.append(i == 0 ? "" : ",")
                    .append(
                            "{\"key\":\"%s\",\"value\":{\"%s\":\"%s\"}}"
                                    .formatted(
                                            pairs[i],
                                            isNumber ? "intValue" : "stringValue",
                                            value));
        }
        return "[" + text + "]";
    }

    private Caller.Sent export(String what, String body) {
        return export(what, body, server.token());
    }

    private Caller.Sent export(String what, String body, String token) {
        var headers =
                Map.of("Authorization", "Bearer " + token, "Content-Type", "application/json");
        return server.send("POST", "/v1/" + what, body, headers);
    }

    private void request(String session, String request, String... more) {
        var body = log(session, request, more);
        assertThat(export("logs", body).body()).isEqualTo("{}");
    }

    private static String log(String session, String request, String... more) {
        var all = new java.util.ArrayList<>(List.of("session.id", session, "model", MODEL));
        all.addAll(List.of("request_id", request, "event.name", "api_request"));
        all.addAll(List.of(more));
        return """
        {"resourceLogs":[{"resource":{"attributes":%s},"scopeLogs":[{"logRecords":[
          {"timeUnixNano":"%d","body":{"stringValue":"claude_code.api_request"},
           "attributes":%s}]}]}]}
        """
                .formatted(
                        attributes("service.name", "claude-code"),
                        NOW * 1_000_000,
                        attributes(all.toArray(String[]::new)));
    }

    private JsonNode model(String session, String where, int at) {
        return server.get("/sessions/" + session + "/usage").get(where).get(at);
    }

    private long tokens(String session) {
        return server.get("/sessions/" + session + "/budget").at("/spent/tokens").asLong();
    }

    @Test
    void a_request_is_counted_once_however_often_it_is_told() {
        for (int i = 0; i < 3; i++) {
            request("s", "r1", "input_tokens", "1000", "output_tokens", "100");
        }
        request("s", "r2", "input_tokens", "10", "cache_read_tokens", "5000");
        var model = model("s", "own", 0);
        assertThat(text(model, "model")).isEqualTo(MODEL);
        assertThat(model.get("calls").asInt()).isEqualTo(2);
        assertThat(model.get("input_tokens").asInt()).isEqualTo(1010);
        assertThat(model.get("cache_read_tokens").asInt()).isEqualTo(5000);
        // 1,010 at 3 dollars for a million, 100 at 15, 5,000 at 0.3.
        assertThat(model.get("cost_micros").asInt()).isEqualTo(3030 + 1500 + 1500);
        assertThat(tokens("s")).isEqualTo(6110);
    }

    /** The agent of another tree spent the budget of this one, or took its charges away. */
    @Test
    void nobody_who_knows_the_id_of_a_call_of_another_tree_changes_its_charge() {
        request("s", "r1", "input_tokens", "1000");
        server.post("/sessions", "{\"session_id\":\"b\"}");
        var b = server.coordinator().token(dev.coppice.access.Caller.agent(new SessionId("b")));
        export("logs", log("kid", "r2", "input_tokens", "7"), b);
        export("logs", log("kid", "r1", "input_tokens", "999999", "cost_usd", "100"), b);
        export("logs", log("kid", "r1", "input_tokens", "1"), b);
        assertThat(tokens("b")).isEqualTo(7);
        assertThat(tokens("s")).isEqualTo(1000);
        assertThat(model("s", "own", 0).get("cost_micros").asInt()).isEqualTo(3000);
    }

    @Test
    void what_its_program_says_that_it_cost_goes_before_the_table() {
        request("s", "r1", "input_tokens", "1000", "cost_usd", "0.5");
        assertThat(model("s", "own", 0).get("cost_micros").asInt()).isEqualTo(500_000);
    }

    @Test
    void a_hostile_cost_never_takes_away_what_was_spent() {
        request("s", "r1", "input_tokens", "1", "cost_usd", "9e11");
        assertThat(model("s", "own", 0).get("cost_micros").asLong()).isEqualTo(1_000_000_000_000L);
        request("t", "r2", "input_tokens", "999999999999999999", "cost_usd", "1e300");
        request("t", "r3", "input_tokens", "7", "cost_usd", "-5");
        request("t", "r4", "input_tokens", "1", "cost_usd", "NaN");
        assertThat(tokens("t")).isEqualTo(8);
        assertThat(model("t", "own", 0).get("cost_micros").asLong()).isNotNegative();
    }

    /** The total of a file has no ids in common with the requests. */
    @Test
    void codex_is_counted_by_its_requests_or_by_its_total() throws IOException {
        var file = transcripts.resolve("rollout-2026-11-26T10-00-00-c.jsonl");
        var total =
                """
                {"type":"turn_context","payload":{"model":"gpt-5"}}
                {"type":"event_msg","timestamp":"2026-11-26T10:00:00.000Z","payload":\
                {"type":"token_count","info":{"total_token_usage":\
                {"input_tokens":100,"cached_input_tokens":20,"output_tokens":10}}}}
                """;
        Files.writeString(file, total);
        toldByCodex(file);
        Eventually.await(
                () -> tokens("c") == 110, () -> server.get("/sessions/c/usage").toString());
        var all =
                attributes(
                        "conversation.id",
                        "c",
                        "model",
                        "gpt-5",
                        "event.name",
                        "codex.sse_event",
                        "event.kind",
                        "response.completed",
                        "input_token_count",
                        "60",
                        "output_token_count",
                        "5");
        export(
                "logs",
                "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"attributes\":%s}]}]}]}"
                        .formatted(all));
        assertThat(tokens("c")).isEqualTo(65);
        Files.writeString(file, total.replace("100", "300"), StandardOpenOption.APPEND);
        toldByCodex(file);
        // Files are read one after the other.
        var next = transcripts.resolve("next.jsonl");
        Files.writeString(next, line("m9", "r9", 5, 0));
        told("Stop", "next", next);
        Eventually.await(
                () -> tokens("next") == 35, () -> server.get("/sessions/next/usage").toString());
        assertThat(tokens("c")).isEqualTo(65);
    }

    private void toldByCodex(Path transcript) {
        server.post(
                "/hooks/codex",
                "{\"hook_event_name\":\"Stop\",\"session_id\":\"c\",\"transcript_path\":\"%s\"}"
                        .formatted(transcript));
    }

    @Test
    void an_unknown_model_has_no_cost_until_its_price_is_in_the_file() throws IOException {
        request("s", "r1", "input_tokens", "1000", "gen_ai.response.model", "local-7b");
        var model = model("s", "own", 0);
        assertThat(model.get("cost_micros").asInt()).isZero();
        assertThat(model.get("unpriced_tokens").asInt()).isEqualTo(1000);
        var file = Path.of(String.valueOf(text(server.get("/prices"), "file")));
        Files.writeString(file, "{\"models\":[{\"match\":\"local-*\",\"input\":2}]}");
        assertThat(server.get("/prices").toString()).doesNotContain("local-");
        Files.writeString(file, "{\"models\":[{\"match\":\"local-*\",\"input\":2,\"output\":4}]}");
        Files.setLastModifiedTime(file, java.nio.file.attribute.FileTime.fromMillis(1));
        Eventually.await(
                () -> model("s", "own", 0).get("cost_micros").asInt() == 2000,
                () -> model("s", "own", 0).toString());
        assertThat(server.get("/sessions/s/budget").at("/spent/cost_micros").asInt())
                .isEqualTo(2000);
    }

    private static KeyValue attribute(String name, String value) {
        var any = AnyValue.newBuilder().setStringValue(value);
        return KeyValue.newBuilder().setKey(name).setValue(any).build();
    }

    private HttpResponse<byte[]> exportSpans(Span... spans) throws Exception {
        var request = ExportTraceServiceRequest.newBuilder();
        request.addResourceSpansBuilder().addScopeSpansBuilder().addAllSpans(List.of(spans));
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            request.build().writeTo(gzip);
        }
        try (var http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create(server.coordinator().url() + "/v1/traces"))
                            .header("Authorization", "Bearer " + server.token())
                            .header("Content-Type", "application/x-protobuf")
                            .header("Content-Encoding", "gzip")
                            .POST(HttpRequest.BodyPublishers.ofByteArray(packed.toByteArray()))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        }
    }

    private static Span.Builder span(String name, int id, int parent, String... pairs) {
        var span =
                Span.newBuilder()
                        .setName(name)
                        .setTraceId(bytes(16, 7))
                        .setSpanId(bytes(8, id))
                        .setStartTimeUnixNano(1_000_000L * (NOW - 500))
                        .setEndTimeUnixNano(1_000_000L * NOW);
        if (parent > 0) span.setParentSpanId(bytes(8, parent));
        for (int i = 0; i < pairs.length; i += 2) {
            span.addAttributes(attribute(pairs[i], pairs[i + 1]));
        }
        return span;
    }

    private static ByteString bytes(int length, int last) {
        var bytes = new byte[length];
        bytes[length - 1] = (byte) last;
        return ByteString.copyFrom(bytes);
    }

    @Test
    void spans_name_the_parent_of_an_agent_at_once() throws Exception {
        var inner =
                span(
                        "claude_code.llm_request",
                        1,
                        0,
                        "session.id",
                        "s",
                        "agent_id",
                        "b",
                        "parent_agent_id",
                        "a",
                        "model",
                        MODEL,
                        "request_id",
                        "r1",
                        "input_tokens",
                        "100");
        var answer = exportSpans(inner.build());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(ExportTraceServiceResponse.parseFrom(answer.body()).hasPartialSuccess())
                .isFalse();
        assertThat(text(server.get("/sessions/s~b").get("session"), "parent_session_id"))
                .isEqualTo("s~a");
        assertThat(server.get("/sessions/s~b/relations").toString())
                .contains("\"evidence\":\"telemetry\"");
        assertThat(tokens("s")).isEqualTo(100);
        assertThat(model("s~b", "own", 0).get("calls").asInt()).isEqualTo(1);
        assertThat(server.get("/sessions/s/usage").get("own")).isEmpty();
    }

    @Test
    void agents_of_other_programs_follow_from_the_tree_of_spans() throws Exception {
        var agent = new String[] {"gen_ai.conversation.id", "c", "gen_ai.operation.name"};
        var answer =
                exportSpans(
                        span("invoke_agent", 1, 0, agent[0], agent[1], agent[2], "invoke_agent")
                                .build(),
                        span(
                                        "execute_tool",
                                        2,
                                        1,
                                        agent[0],
                                        agent[1],
                                        agent[2],
                                        "execute_tool",
                                        "gen_ai.tool.name",
                                        "delegate")
                                .build(),
                        span(
                                        "invoke_agent",
                                        3,
                                        2,
                                        agent[0],
                                        agent[1],
                                        agent[2],
                                        "invoke_agent",
                                        "gen_ai.agent.name",
                                        "writer")
                                .build(),
                        span(
                                        "chat",
                                        4,
                                        3,
                                        agent[0],
                                        agent[1],
                                        agent[2],
                                        "chat",
                                        "gen_ai.response.id",
                                        "m1",
                                        "gen_ai.response.model",
                                        "gpt-5",
                                        "gen_ai.usage.input_tokens",
                                        "1000",
                                        "gen_ai.usage.cache_read.input_tokens",
                                        "400",
                                        "gen_ai.usage.output_tokens",
                                        "10")
                                .build());
        assertThat(answer.statusCode()).isEqualTo(200);
        var children = server.get("/sessions/c/children").get("children");
        assertThat(children).hasSize(1);
        var child = String.valueOf(text(children.get(0), "session_id"));
        assertThat(child).startsWith("c~writer-");
        var model = model(child, "own", 0);
        assertThat(model.get("input_tokens").asInt()).isEqualTo(600);
        assertThat(model.get("cache_read_tokens").asInt()).isEqualTo(400);
        assertThat(server.get("/sessions/c/events").toString()).contains("delegate");
    }

    @Test
    void sums_of_a_meter_count_until_single_calls_are_known() {
        for (int i = 0; i < 2; i++) {
            assertThat(metric("claude_code.token.usage", "type", "input", 700).body())
                    .isEqualTo("{}");
        }
        metric("gen_ai.client.token.usage", "gen_ai.token.type", "output", 30);
        metric("gen_ai.client.inference.tokens", "gen_ai.token.type", "output", 40);
        assertThat(tokens("s")).isEqualTo(770);
        request("s", "r1", "input_tokens", "500");
        assertThat(tokens("s")).isEqualTo(500);
        metric("claude_code.token.usage", "type", "output", 9);
        assertThat(tokens("s")).isEqualTo(500);
    }

    private Caller.Sent metric(String name, String type, String value, int count) {
        var body =
                """
                {"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"%s","sum":{
                  "aggregationTemporality":1,"dataPoints":[{"startTimeUnixNano":"1000000000",
                  "timeUnixNano":"2000000000","asInt":"%d","attributes":%s}]}}]}]}]}
                """
                        .formatted(
                                name,
                                count,
                                attributes("session.id", "s", "model", MODEL, type, value));
        return export("metrics", body);
    }

    private static String line(String message, String request, int input, int output) {
        return """
        {"type":"assistant","timestamp":"2026-11-26T10:00:00.000Z","requestId":"%s","message":\
        {"id":"%s","model":"%s","usage":{"input_tokens":%d,"output_tokens":%d,\
        "cache_creation_input_tokens":30,"cache_creation":{"ephemeral_1h_input_tokens":10}}}}
        """
                .formatted(request, message, MODEL, input, output);
    }

    private void told(String type, String session, Path transcript) {
        server.post(
                "/hooks/claude_code",
                "{\"hook_event_name\":\"%s\",\"session_id\":\"%s\",\"transcript_path\":\"%s\"}"
                        .formatted(type, session, transcript));
    }

    @Test
    void transcripts_of_a_session_and_of_its_agents_are_counted_together() throws IOException {
        var file = Files.createDirectories(transcripts.resolve("-shop")).resolve("s.jsonl");
        // Each block of a message repeats its usage, and the first may lack output.
        Files.writeString(file, line("m1", "r1", 100, 1) + line("m1", "r1", 100, 50) + "{\"par");
        var agents = Files.createDirectories(transcripts.resolve("-shop/s/subagents"));
        Files.writeString(agents.resolve("agent-a1.jsonl"), line("m2", "r2", 200, 20));
        request("s", "r1", "input_tokens", "100", "output_tokens", "50");
        request("s", "r2", "input_tokens", "200", "output_tokens", "20");
        server.post(
                "/hooks/claude_code",
                "{\"hook_event_name\":\"SubagentStart\",\"session_id\":\"s\",\"agent_id\":\"a1\"}");
        told("Stop", "s", file);
        Eventually.await(
                () -> !server.get("/sessions/s~a1/usage").get("own").isEmpty(),
                () -> server.get("/sessions/s/usage").toString());
        assertThat(tokens("s")).isEqualTo(100 + 50 + 30 + 200 + 20 + 30);
        assertThat(tokens("s~a1")).isEqualTo(250);
        assertThat(model("s~a1", "own", 0).get("cache_write_hour_tokens").asInt()).isEqualTo(10);
        // A fork repeats what was said before it.
        var fork = transcripts.resolve("-shop/f.jsonl");
        Files.writeString(fork, Files.readString(file).replace("{\"par", line("m3", "r3", 7, 0)));
        told("Stop", "f", fork);
        Files.writeString(file, "t\n" + line("m4", "r4", 1, 0), StandardOpenOption.APPEND);
        told("Stop", "s", file);
        Eventually.await(() -> tokens("f") == 37, () -> server.get("/sessions/f/usage").toString());
        Eventually.await(
                () -> tokens("s") == 461, () -> server.get("/sessions/s/usage").toString());
    }

    /** A file of holes kept the transcripts of all others from being read. */
    @Test
    void a_transcript_of_terabytes_leaves_time_for_others() throws IOException {
        var endless = transcripts.resolve("endless.jsonl");
        try (var file = new RandomAccessFile(endless.toFile(), "rw")) {
            file.setLength(1L << 42);
        }
        told("Stop", "endless", endless);
        var good = transcripts.resolve("t.jsonl");
        Files.writeString(good, line("m3", "r3", 5, 0));
        told("Stop", "t", good);
        Eventually.await(() -> tokens("t") == 35, () -> server.get("/sessions/t/usage").toString());
    }

    @Test
    void no_other_file_is_read_as_a_transcript() throws IOException {
        var elsewhere = Temporary.directory("coppice-elsewhere").resolve("s.jsonl");
        Files.writeString(elsewhere, line("m1", "r1", 100, 1));
        Files.createSymbolicLink(transcripts.resolve("s.jsonl"), elsewhere);
        var other = transcripts.resolve("other.jsonl");
        Files.writeString(other, line("m2", "r2", 100, 1));
        told("Stop", "s", elsewhere);
        told("Stop", "s", transcripts.resolve("s.jsonl"));
        told("Stop", "s", other);
        told("Stop", "s", transcripts.resolve("../x/s.jsonl"));
        var good = transcripts.resolve("t.jsonl");
        Files.writeString(good, line("m3", "r3", 5, 0));
        told("Stop", "t", good);
        Eventually.await(() -> tokens("t") == 35, () -> server.get("/sessions/t/usage").toString());
        assertThat(tokens("s")).isZero();
    }

    @Test
    void a_budget_that_telemetry_has_spent_denies_the_next_tool() {
        request("s", "r1", "input_tokens", "10");
        var budget = Json.read("{\"tokens\":1000}");
        server.client().call("PUT", "/sessions/s/budget", budget, Map.of());
        request("s", "r2", "input_tokens", "1000");
        var answer =
                server.post(
                        "/hooks/claude_code",
                        "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\","
                                + "\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}");
        assertThat(answer.toString()).contains("deny", "of 1000 tokens");
    }

    @Test
    void a_transcript_of_gemini_tells_of_the_session_and_of_its_agents() throws IOException {
        var id = "ba42c57d-6cc5-4dac-aa00-98597c4056ce";
        var chats = Files.createDirectories(transcripts.resolve("shop/chats"));
        var file = chats.resolve("session-2026-11-27T02-42-ba42c57d.jsonl");
        var message =
                """
                {"id":"%s","timestamp":"2026-11-27T02:42:47Z","type":"gemini","content":"",\
                "tokens":{"input":100,"output":20,"cached":30,"thoughts":5,"tool":1},\
                "model":"gemini-3.8-flash"}
                """;
        var first = message.formatted("a");
        Files.writeString(file, "{\"sessionId\":\"%s\"}\n".formatted(id) + first + first);
        var agents = Files.createDirectories(chats.resolve(id));
        Files.writeString(agents.resolve("x-1.jsonl"), message.formatted("b"));
        var stranger = "ba42c57d-0000-4dac-aa00-98597c4056ce";
        for (var session : List.of(stranger, id)) {
            server.post(
                    "/hooks/gemini",
                    Json.write(
                            Map.of(
                                    "hook_event_name",
                                    "SessionStart",
                                    "session_id",
                                    session,
                                    "transcript_path",
                                    file.toString())));
        }
        Eventually.await(() -> tokens(id) == 2 * 126, () -> server.get("/sessions").toString());
        assertThat(model(id, "own", 0).get("input_tokens").asInt()).isEqualTo(71);
        assertThat(model(id, "own", 0).get("cache_read_tokens").asInt()).isEqualTo(30);
        assertThat(tokens(id + "~x-1")).isEqualTo(126);
        assertThat(tokens(stranger)).isZero();
    }

    @Test
    void hooks_of_opencode_tell_of_tokens_too() {
        var use =
                """
                {"hook_event_name":"ModelUse","session_id":"o","cwd":"/work/shop",\
                "message_id":"msg_1","model":"local","cost_usd":0.01,\
                "usage":{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":2}}
                """;
        for (int i = 0; i < 2; i++) server.post("/hooks/opencode", use);
        assertThat(tokens("o")).isEqualTo(17);
        assertThat(model("o", "own", 0).get("cost_micros").asInt()).isEqualTo(10_000);
    }

    @Test
    void a_monitor_reads_what_there_is() {
        request("s", "r1", "input_tokens", "1000", "model", "evil\\\" model");
        var text =
                server.send(
                        "GET", "/metrics", "", Map.of("Authorization", "Bearer " + server.token()));
        assertThat(text.header("Content-Type")).startsWith("text/plain; version=0.0.4");
        for (var line : text.body().lines().toList()) {
            assertThat(line).matches("# (HELP|TYPE) .+|coppice_[a-z_]+(\\{.*\\})? [0-9.]+");
        }
        assertThat(text.body()).contains("coppice_sessions{state=\"running\"} 1\n");
        assertThat(text.body()).contains("kind=\"input\"} 1000\n", "# TYPE coppice_runners gauge");
        assertThat(text.body()).containsPattern("\ncoppice_slow_writes_total [0-9]+\n");
        for (var loop : List.of("store-writer", "write-deadline", "sweep-lost-runs")) {
            assertThat(text.body()).contains("loop_failures_total{loop=\"%s\"} 0".formatted(loop));
        }
    }

    @Test
    void what_is_no_export_is_refused() {
        for (var bad :
                List.of(
                        "[]",
                        "{\"resourceLogs\":5}",
                        "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[5]}]}]}",
                        "{\"resourceLogs\":[{\"resource\":{\"attributes\":[{\"key\":1}]}}]}")) {
            assertThat(export("logs", bad).status()).as(bad).isEqualTo(400);
        }
        assertThat(export("logs", "{\"unknown\":1}").status()).isEqualTo(200);
        var headers =
                Map.of(
                        "Authorization",
                        "Bearer " + server.token(),
                        "Content-Type",
                        "application/x-protobuf");
        assertThat(server.send("POST", "/v1/traces", "no protobuf", headers).status())
                .isEqualTo(400);
    }

    @Test
    void ended_sessions_reach_a_collector_as_one_trace_with_true_parents() throws Exception {
        var taken = new CopyOnWriteArrayList<Span>();
        var refuses = new AtomicInteger(1);
        var collector =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext(
                "/v1/traces",
                exchange -> {
                    var body = exchange.getRequestBody().readAllBytes();
                    boolean isGood = refuses.getAndDecrement() <= 0;
                    if (isGood) {
                        ExportTraceServiceRequest.parseFrom(body)
                                .getResourceSpans(0)
                                .getScopeSpans(0)
                                .getSpansList()
                                .forEach(taken::add);
                    }
                    exchange.sendResponseHeaders(isGood ? 200 : 503, -1);
                    exchange.close();
                });
        collector.start();
        var url = "http://127.0.0.1:" + collector.getAddress().getPort();
        try (var other =
                new Caller(Map.of("COPPICE_OTLP_ENDPOINT", url), List.of(TelemetryFace::on))) {
            for (var body :
                    List.of(
                            "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Agent\","
                                    + "\"tool_use_id\":\"c1\",\"tool_input\":{}",
                            "\"hook_event_name\":\"SubagentStart\",\"agent_id\":\"a\","
                                    + "\"agent_type\":\"general-purpose\"",
                            "\"hook_event_name\":\"PostToolUseFailure\",\"agent_id\":\"a\","
                                    + "\"tool_name\":\"Bash\",\"tool_use_id\":\"c2\","
                                    + "\"error\":\"no\"",
                            "\"hook_event_name\":\"SubagentStop\",\"agent_id\":\"a\"",
                            "\"hook_event_name\":\"PostToolUse\",\"tool_name\":\"Agent\","
                                    + "\"tool_use_id\":\"c1\","
                                    + "\"tool_response\":{\"agentId\":\"a\"}",
                            "\"hook_event_name\":\"SessionEnd\"")) {
                other.post("/hooks/claude_code", "{\"session_id\":\"x\"," + body + "}");
            }
            Eventually.await(() -> taken.size() >= 4, taken::toString);
        } finally {
            collector.stop(0);
        }
        var byName = new HashMap<String, Span>();
        for (var span : taken) byName.put(span.getName().replaceAll("-[0-9a-f]+$", ""), span);
        var main = named(taken, "x");
        var child = named(taken, "x~a");
        var call = byName.get("execute_tool Agent");
        var bash = byName.get("execute_tool Bash");
        assertThat(call).isNotNull();
        assertThat(bash).isNotNull();
        assertThat(main.getParentSpanId().isEmpty()).isTrue();
        assertThat(call.getParentSpanId()).isEqualTo(main.getSpanId());
        assertThat(child.getParentSpanId()).isEqualTo(call.getSpanId());
        assertThat(bash.getParentSpanId()).isEqualTo(child.getSpanId());
        assertThat(bash.getStatus().getCodeValue()).isEqualTo(2);
        assertThat(taken.stream().map(Span::getTraceId).distinct()).hasSize(1);
    }

    private static Span named(List<Span> spans, String agent) {
        return spans.stream()
                .filter(span ->
                        span.getAttributesList().contains(attribute("gen_ai.agent.id", agent)))
                .findFirst()
                .orElseThrow();
    }
}
