package dev.coppice.meter;

import dev.coppice.kernel.SessionId;
import dev.coppice.usage.ModelUse;
import dev.coppice.usage.ModelUse.Source;
import dev.coppice.usage.TokenCounts;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Reads the uses of models from the lines of a transcript. */
final class TranscriptLines {
    /** A use, and the agent that made the call; null for the session itself. */
    record Found(@Nullable String agent, ModelUse use) {}

    /** Each line of interest has one of these. Most lines have none, and are long. */
    private static final List<String> MARKS =
            List.of("\"usage\"", "\"token_count\"", "\"turn_context\"", "\"tokens\"");

    private final SessionId main;
    private final @Nullable String agent;
    private final List<Found> found = new ArrayList<>();
    private String model;

    TranscriptLines(SessionId main, @Nullable String agent, String model) {
        this.main = main;
        this.agent = agent;
        this.model = model;
    }

    List<Found> found() {
        return found;
    }

    /** Returns the model that was named last; Codex does not name it with each use. */
    String model() {
        return model;
    }

    void line(String line) {
        if (MARKS.stream().noneMatch(line::contains)) return;
        var json = Json.valueOf(line);
        if (json == null) return;
        switch (Json.textIfAny(json, "type")) {
            case "assistant" -> claude(json);
            case "turn_context" -> {
                var named = Json.textIfAny(json.path("payload"), "model");
                if (named != null) model = named;
            }
            case "event_msg" -> codex(json);
            case "gemini" -> gemini(json);
            case null, default -> {}
        }
    }

    private void claude(JsonNode json) {
        var message = json.path("message");
        var usage = message.path("usage");
        var id = Json.textIfAny(message, "id");
        var named = Json.textIfAny(message, "model");
        if (id == null || named == null || named.equals("<synthetic>")) return;
        var written = usage.path("cache_creation");
        long hour = count(written, "ephemeral_1h_input_tokens");
        var tokens =
                new TokenCounts(
                        count(usage, "input_tokens"),
                        count(usage, "output_tokens"),
                        count(usage, "cache_read_input_tokens"),
                        Math.max(0, count(usage, "cache_creation_input_tokens") - hour),
                        hour);
        var key = new ModelUse.Key(id, Json.textIfAny(json, "requestId"));
        var use = new ModelUse(key, named, tokens, null, Source.TRANSCRIPT, at(json));
        found.add(new Found(agent, use));
    }

    /** The sums of Codex grow with each call, so the last one counts. */
    private void codex(JsonNode json) {
        var payload = json.path("payload");
        var sum = payload.path("info").path("total_token_usage");
        if (!"token_count".equals(Json.textIfAny(payload, "type")) || !sum.isObject()) return;
        long cached = count(sum, "cached_input_tokens");
        var tokens =
                new TokenCounts(
                        Math.max(0, count(sum, "input_tokens") - cached),
                        count(sum, "output_tokens"),
                        cached,
                        0,
                        0);
        var thread = agent == null ? main.value() : agent;
        var key = new ModelUse.Key("codex:" + thread, null);
        found.add(new Found(agent, new ModelUse(key, model, tokens, null, Source.TOTAL, at(json))));
    }

    /** Gemini writes a message again when more of it is known. */
    private void gemini(JsonNode json) {
        var id = Json.textIfAny(json, "id");
        var used = json.path("tokens");
        var named = Json.textIfAny(json, "model");
        if (id == null || named == null || !used.isObject()) return;
        long cached = count(used, "cached");
        var tokens =
                new TokenCounts(
                        Math.max(0, count(used, "input") - cached) + count(used, "tool"),
                        count(used, "output") + count(used, "thoughts"),
                        cached,
                        0,
                        0);
        var key = new ModelUse.Key("gemini:" + id, null);
        found.add(
                new Found(
                        agent,
                        new ModelUse(key, named, tokens, null, Source.TRANSCRIPT, at(json))));
    }

    private static long count(JsonNode usage, String field) {
        return Math.clamp(usage.path(field).asLong(0), 0, 1_000_000_000_000L);
    }

    private static Instant at(JsonNode json) {
        try {
            return Instant.parse(String.valueOf(Json.textIfAny(json, "timestamp")));
        } catch (DateTimeException _) {
            return Instant.EPOCH;
        }
    }
}
