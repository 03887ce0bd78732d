package dev.coppice.hooks;

import dev.coppice.usage.ModelUse;
import dev.coppice.usage.ModelUse.Source;
import dev.coppice.usage.TokenCounts;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;

/**
 * Reads uses of models from hooks. These hooks are not recorded as events: they repeat the whole
 * conversation, or contain nothing else.
 */
final class HookUse {
    private static final int CHARS_MAX = 200;
    private static final long COUNT_MAX = 1_000_000_000_000L;
    private static final long DOLLARS_MAX = 1_000_000;

    private HookUse() {}

    static boolean isOne(JsonNode body) {
        var type = Json.textIfAny(body, "hook_event_name");
        return "AfterModel".equals(type) || "ModelUse".equals(type);
    }

    /** Returns null for Gemini's hook, which runs for each part of an answer. */
    static @Nullable ModelUse of(JsonNode body, Instant now) {
        var message = Json.textIfAny(body, "message_id");
        if (message == null) return null;
        var usage = body.path("usage");
        var tokens =
                new TokenCounts(
                        count(usage, "input_tokens"),
                        count(usage, "output_tokens"),
                        count(usage, "cache_read_input_tokens"),
                        count(usage, "cache_creation_input_tokens"),
                        0);
        var key = new ModelUse.Key("hook:" + cut(message), null);
        return new ModelUse(key, model(body), tokens, micros(body), Source.HOOK, now);
    }

    private static String model(JsonNode body) {
        var model = Json.textIfAny(body, "model");
        return model == null ? "unknown" : cut(model);
    }

    private static String cut(String text) {
        return text.length() <= CHARS_MAX ? text : text.substring(0, CHARS_MAX);
    }

    private static long count(JsonNode usage, String field) {
        return Math.clamp(usage.path(field).asLong(0), 0, COUNT_MAX);
    }

    private static @Nullable Long micros(JsonNode body) {
        var cost = body.path("cost_usd");
        if (!cost.isNumber()) return null;
        var dollars = cost.decimalValue();
        boolean isSane =
                dollars.signum() > 0 && dollars.compareTo(BigDecimal.valueOf(DOLLARS_MAX)) < 0;
        // OpenCode reports zero if it does not know the price.
        return isSane
                ? dollars.movePointRight(6).setScale(0, RoundingMode.HALF_UP).longValue()
                : null;
    }
}
