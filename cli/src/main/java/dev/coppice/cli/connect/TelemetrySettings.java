package dev.coppice.cli.connect;

import dev.coppice.cli.engine.Args;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;
import java.util.TreeMap;

/** The variables with which Claude Code sends its telemetry to Coppice. */
final class TelemetrySettings {
    private static final String FIELD = "env";
    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
    private static final Map<String, String> FIXED =
            Map.of(
                    "CLAUDE_CODE_ENABLE_TELEMETRY", "1",
                    "CLAUDE_CODE_ENHANCED_TELEMETRY_BETA", "1",
                    "OTEL_LOGS_EXPORTER", "otlp",
                    "OTEL_TRACES_EXPORTER", "otlp",
                    "OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf");

    private static final String HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";

    /** The token in the headers tells our endpoint from a person's own collector. */
    private static final String OURS = "Bearer issued.";

    private TelemetrySettings() {}

    /**
     * Refuses settings for another collector: the program can only send to one. Call it only if
     * ours are absent.
     */
    static void check(ObjectNode settings) {
        var env = settings.path(FIELD);
        if (!env.isMissingNode() && !env.isObject()) {
            throw new Args.Invalid("'env' is not an object; nothing was changed");
        }
        var endpoint = Json.text(env, ENDPOINT);
        if (endpoint != null) throw otherwise(ENDPOINT, endpoint);
        // A person's own collector may demand a secret in these headers.
        if (Json.text(env, HEADERS) != null) throw otherwise(HEADERS, "…");
        FIXED.forEach((name, value) -> {
            var there = Json.text(env, name);
            if (there != null && !there.equals(value)) throw otherwise(name, there);
        });
    }

    private static Args.Invalid otherwise(String name, String value) {
        return new Args.Invalid(
                "%s is '%s' in the settings already; nothing was changed".formatted(name, value));
    }

    static void add(ObjectNode settings, String endpoint, String token) {
        var env = settings.withObject("/" + FIELD);
        new TreeMap<>(FIXED).forEach(env::put);
        env.put(ENDPOINT, endpoint);
        env.put(HEADERS, "Authorization=Bearer " + token);
    }

    static void remove(ObjectNode settings) {
        if (!isIn(settings) || !(settings.get(FIELD) instanceof ObjectNode env)) return;
        FIXED.forEach((name, value) -> {
            if (value.equals(Json.text(env, name))) env.remove(name);
        });
        env.remove(ENDPOINT);
        env.remove(HEADERS);
        if (env.isEmpty()) settings.remove(FIELD);
    }

    static boolean isIn(ObjectNode settings) {
        return isOurs(settings.path(FIELD));
    }

    private static boolean isOurs(JsonNode env) {
        var headers = Json.text(env, HEADERS);
        return headers != null && headers.contains(OURS);
    }
}
