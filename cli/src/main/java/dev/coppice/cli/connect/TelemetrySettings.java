package dev.coppice.cli.connect;

import dev.coppice.cli.engine.Args;
import dev.coppice.wire.Json;

import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.Map;

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

    /** The token in the path tells our endpoint from a person's own collector. */
    private static final String OURS = "/t/";

    private TelemetrySettings() {}

    /** Refuses to send to two places, because the program can only send to one. */
    static void check(ObjectNode settings) {
        var env = settings.path(FIELD);
        if (!env.isMissingNode() && !env.isObject()) {
            throw new Args.Invalid("'env' is not an object; nothing was changed");
        }
        var other = Json.text(env, ENDPOINT);
        if (other != null && !other.contains(OURS)) {
            throw new Args.Invalid(
                    "%s is '%s'; telemetry goes to one place, so nothing was changed"
                            .formatted(ENDPOINT, other));
        }
    }

    static void add(ObjectNode settings, String endpoint) {
        var env = settings.withObject("/" + FIELD);
        var all = new LinkedHashMap<>(new java.util.TreeMap<>(FIXED));
        all.put(ENDPOINT, endpoint);
        all.forEach(env::put);
    }

    static void remove(ObjectNode settings) {
        if (!isIn(settings) || !(settings.get(FIELD) instanceof ObjectNode env)) return;
        FIXED.keySet().forEach(env::remove);
        env.remove(ENDPOINT);
        if (env.isEmpty()) settings.remove(FIELD);
    }

    static boolean isIn(ObjectNode settings) {
        var endpoint = Json.text(settings.path(FIELD), ENDPOINT);
        return endpoint != null && endpoint.contains(OURS);
    }
}
