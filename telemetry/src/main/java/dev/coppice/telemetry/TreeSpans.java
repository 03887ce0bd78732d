package dev.coppice.telemetry;

import com.google.protobuf.ByteString;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.session.Session;
import dev.coppice.session.StateWord;
import dev.coppice.usage.ModelUses;
import dev.coppice.wire.Json;
import dev.coppice.wire.event.Saying;
import dev.coppice.wire.event.ToolInput;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A session as spans: one for the agent, and below it one for each use of a tool. The ids are
 * derived from those of the tree, so a child finds its parent whenever it is exported, and repeated
 * exports are equal.
 */
final class TreeSpans {
    private static final int TRACE_BYTES = 16;
    private static final int SPAN_BYTES = 8;
    private static final int TEXT_CHARS_MAX = 1_000;

    private final Session session;
    private final ByteString trace;
    private final Map<String, Span.Builder> tools = new LinkedHashMap<>();

    TreeSpans(Session session) {
        this.session = session;
        this.trace = id(TRACE_BYTES, "tree", session.place().root().value());
    }

    private static ByteString id(int bytes, String... parts) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (var part : parts) {
                digest.update(part.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0);
            }
            return ByteString.copyFrom(Arrays.copyOf(digest.digest(), bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private ByteString tool(String call) {
        return id(SPAN_BYTES, "call", session.place().root().value(), call);
    }

    void read(Entry entry) {
        if (!(entry.fact() instanceof Fact.Reported(_, var text))) return;
        var body = Json.valueOf(text.value());
        if (body == null) return;
        var payload = Saying.payload(body);
        var call = Json.textIfAny(payload, "tool_use_id");
        var name = Json.textIfAny(payload, "tool_name");
        if (call == null) return;
        var span = tools.get(call);
        if (span == null) {
            if (name == null) return;
            span = begun(call, name, payload, entry.at());
            tools.put(call, span);
        }
        boolean isAnswer = payload.has("tool_response") || payload.has("tool_output");
        if (isAnswer || payload.has("error")) answered(span, payload, entry.at());
    }

    private Span.Builder begun(String call, String name, JsonNode payload, Instant at) {
        var span =
                span(tool(call), "execute_tool " + name, at)
                        .setParentSpanId(id(SPAN_BYTES, "session", session.id().value()));
        add(span, "gen_ai.operation.name", "execute_tool");
        add(span, "gen_ai.tool.name", name);
        add(span, "gen_ai.tool.call.id", call);
        add(span, "coppice.tool.subject", cut(ToolInput.subject(payload.path("tool_input"))));
        return span;
    }

    private static void answered(Span.Builder span, JsonNode payload, Instant at) {
        span.setEndTimeUnixNano(nanos(at));
        if (!payload.has("error")) return;
        add(span, "error.type", "tool_error");
        span.setStatus(Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR));
    }

    private Span.Builder span(ByteString id, String name, Instant at) {
        return Span.newBuilder()
                .setTraceId(trace)
                .setSpanId(id)
                .setName(name)
                .setKind(Span.SpanKind.SPAN_KIND_INTERNAL)
                .setStartTimeUnixNano(nanos(at))
                .setEndTimeUnixNano(nanos(at));
    }

    /** {@code call} is the use of a tool that started this agent. */
    List<Span> all(@Nullable String call, List<ModelUses.Sum> uses) {
        var times = session.times();
        var from = times.started() == null ? times.created() : times.started();
        var span =
                span(
                        id(SPAN_BYTES, "session", session.id().value()),
                        "invoke_agent " + session.name(),
                        from);
        var ended = times.ended();
        if (ended != null) span.setEndTimeUnixNano(nanos(ended.isBefore(from) ? from : ended));
        var parent = session.place().parentId();
        if (call != null) span.setParentSpanId(tool(call));
        else if (parent != null) span.setParentSpanId(id(SPAN_BYTES, "session", parent.value()));
        about(span);
        used(span, uses);
        var all = new ArrayList<Span>();
        all.add(span.build());
        tools.values().forEach(tool -> all.add(tool.build()));
        return all;
    }

    private void about(Span.Builder span) {
        add(span, "gen_ai.operation.name", "invoke_agent");
        add(span, "gen_ai.agent.id", session.id().value());
        add(span, "gen_ai.agent.name", session.name());
        add(span, "gen_ai.conversation.id", session.place().root().value());
        var state = StateWord.of(session.state());
        add(span, "coppice.state", state);
        var parent = session.place().parentId();
        if (parent != null) add(span, "coppice.parent.id", parent.value());
        var why = session.state().why();
        if (!StateWord.FAILED.contains(state)) return;
        add(span, "error.type", state);
        span.setStatus(
                Status.newBuilder()
                        .setCode(Status.StatusCode.STATUS_CODE_ERROR)
                        .setMessage(why == null ? state : cut(why)));
    }

    private static void used(Span.Builder span, List<ModelUses.Sum> uses) {
        if (uses.isEmpty()) return;
        long input = uses.stream().mapToLong(sum -> sum.tokens().prompt()).sum();
        long output = uses.stream().mapToLong(sum -> sum.tokens().output()).sum();
        long read = uses.stream().mapToLong(sum -> sum.tokens().cacheRead()).sum();
        long cost = uses.stream().mapToLong(ModelUses.Sum::costMicros).sum();
        add(span, "gen_ai.request.model", uses.getFirst().model());
        add(span, "gen_ai.usage.input_tokens", input);
        add(span, "gen_ai.usage.output_tokens", output);
        add(span, "gen_ai.usage.cache_read.input_tokens", read);
        add(span, "coppice.cost.micros", cost);
    }

    private static void add(Span.Builder span, String name, String value) {
        span.addAttributes(
                KeyValue.newBuilder()
                        .setKey(name)
                        .setValue(AnyValue.newBuilder().setStringValue(value)));
    }

    private static void add(Span.Builder span, String name, long value) {
        span.addAttributes(
                KeyValue.newBuilder()
                        .setKey(name)
                        .setValue(AnyValue.newBuilder().setIntValue(value)));
    }

    private static String cut(String text) {
        return text.length() <= TEXT_CHARS_MAX ? text : text.substring(0, TEXT_CHARS_MAX);
    }

    private static long nanos(Instant at) {
        return at.toEpochMilli() * 1_000_000;
    }
}
