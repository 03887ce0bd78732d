package dev.coppice.telemetry;

import dev.coppice.usage.ModelUse;
import dev.coppice.usage.ModelUse.Source;
import dev.coppice.usage.TokenCounts;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Set;

/** Reads uses of models from spans, log records and metrics, in the terms of each program. */
final class Told {
    private static final BigDecimal MICROS = BigDecimal.valueOf(1_000_000);
    private static final double DOLLARS_MAX = 1e6;
    private static final String INPUT = "input_tokens";
    private static final String OUTPUT = "output_tokens";
    private static final Set<String> MODEL_CALLS =
            Set.of("chat", "generate_content", "text_completion");
    private static final Set<String> TOKEN_METRICS =
            Set.of("gen_ai.client.token.usage", "gen_ai.client.inference.tokens");
    private static final String CLAUDE_TOKENS = "claude_code.token.usage";
    private static final String CLAUDE_COST = "claude_code.cost.usage";

    private Told() {}

    /** Null if the record is not about a use of a model. */
    static @Nullable ModelUse use(Exported exported) {
        return switch (exported) {
            case Exported.Log log -> ofLog(log);
            case Exported.Span span -> ofSpan(span);
            case Exported.Point point -> ofPoint(point);
        };
    }

    private static String model(Attributes a) {
        var model = a.text("gen_ai.response.model", "model", "gen_ai.request.model");
        return model == null ? "unknown" : cut(model);
    }

    private static String cut(String text) {
        return text.length() <= 200 ? text : text.substring(0, 200);
    }

    private static @Nullable ModelUse ofLog(Exported.Log log) {
        var a = log.attributes();
        return switch (log.name()) {
            case "api_request", "claude_code.api_request" ->
                    new ModelUse(
                            key(a, log), model(a), claudes(a), micros(a), Source.LOG, log.at());
            case "codex.sse_event" ->
                    "response.completed".equals(a.text("event.kind"))
                            ? new ModelUse(
                                    key(a, log),
                                    model(a),
                                    withoutCached(
                                            a.number("input_token_count"),
                                            a.number("output_token_count"),
                                            a.number("cached_token_count"),
                                            0),
                                    null,
                                    Source.LOG,
                                    log.at())
                            : null;
            default -> null;
        };
    }

    private static TokenCounts claudes(Attributes a) {
        return new TokenCounts(
                a.number(INPUT),
                a.number(OUTPUT),
                a.number("cache_read_tokens"),
                a.number("cache_creation_tokens"),
                0);
    }

    private static @Nullable Long micros(Attributes a) {
        var micros = a.decimal("cost_usd_micros");
        if (micros != null) return micros.longValue();
        var dollars = a.decimal("cost_usd");
        return dollars == null ? null : micros(dollars);
    }

    private static long micros(double dollars) {
        // Also true for NaN.
        if (!(dollars > 0)) return 0;
        return BigDecimal.valueOf(Math.min(dollars, DOLLARS_MAX))
                .multiply(MICROS)
                .setScale(0, RoundingMode.HALF_UP)
                .longValue();
    }

    /** Most programs count cached tokens as input, too. */
    private static TokenCounts withoutCached(long input, long output, long read, long written) {
        return new TokenCounts(Math.max(0, input - read - written), output, read, written, 0);
    }

    /** A record without an id is identified by its attributes and its time. */
    private static ModelUse.Key key(Attributes a, Exported.Log log) {
        var request = a.text("request_id", "gen_ai.response.id");
        return request == null
                ? new ModelUse.Key("log:" + a.digest() + log.at().toEpochMilli(), null)
                : new ModelUse.Key(null, cut(request));
    }

    private static @Nullable ModelUse ofSpan(Exported.Span span) {
        var a = span.attributes();
        boolean isClaude = span.name().equals("claude_code.llm_request");
        var operation = a.text("gen_ai.operation.name");
        if (!isClaude && (operation == null || !MODEL_CALLS.contains(operation))) return null;
        var message = a.text("gen_ai.response.id");
        var request = a.text("request_id");
        var key =
                message == null && request == null
                        ? new ModelUse.Key("span:" + span.id(), null)
                        : new ModelUse.Key(
                                message == null ? null : cut(message),
                                request == null ? null : cut(request));
        boolean hasOwnWords = isClaude && a.decimal(INPUT) != null;
        var tokens =
                hasOwnWords
                        ? claudes(a)
                        : withoutCached(
                                a.number("gen_ai.usage." + INPUT),
                                a.number("gen_ai.usage." + OUTPUT),
                                a.number("gen_ai.usage.cache_read.input_tokens"),
                                a.number("gen_ai.usage.cache_creation.input_tokens"));
        return new ModelUse(key, model(a), tokens, micros(a), Source.SPAN, span.at());
    }

    private static @Nullable ModelUse ofPoint(Exported.Point point) {
        var a = point.attributes();
        long count = (long) Math.max(0, point.value());
        if (point.name().equals(CLAUDE_COST)) {
            return use(point, TokenCounts.NONE, micros(point.value()));
        }
        if (point.name().equals(CLAUDE_TOKENS)) {
            // Another metric has the cost of the tokens.
            return use(point, tokens(a.text("type"), count), 0L);
        }
        if (!TOKEN_METRICS.contains(point.name())) return null;
        return use(point, tokens(a.text("gen_ai.token.type"), count), null);
    }

    private static TokenCounts tokens(@Nullable String type, long count) {
        return switch (String.valueOf(type)) {
            case "output" -> new TokenCounts(0, count, 0, 0, 0);
            case "cacheRead", "input_cached" -> new TokenCounts(0, 0, count, 0, 0);
            case "cacheCreation" -> new TokenCounts(0, 0, 0, count, 0);
            default -> new TokenCounts(count, 0, 0, 0, 0);
        };
    }

    private static ModelUse use(Exported.Point point, TokenCounts tokens, @Nullable Long cost) {
        var key = new ModelUse.Key("metric:" + point.series(), null);
        return new ModelUse(
                key, model(point.attributes()), tokens, cost, Source.METRIC, point.at());
    }
}
