package dev.coppice.cli;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;

/** How states and ages look on a terminal. */
final class Shown {
    private Shown() {}

    static String state(String state, boolean coloured) {
        return coloured
                ? "\u001b[%sm%s %s\u001b[0m".formatted(colour(state), sign(state), state)
                : sign(state) + " " + state;
    }

    /** Every state has a sign of its own, for those who see no colours. */
    private static String sign(String state) {
        return switch (state) {
            case "pending", "queued" -> "○";
            case "running", "claimed" -> "●";
            case "idle" -> "◐";
            case "stopping" -> "◌";
            case "finished" -> "✓";
            case "failed" -> "✗";
            case "stopped" -> "■";
            case "timed_out" -> "⧗";
            case "lost" -> "?";
            default -> "·";
        };
    }

    private static String colour(String state) {
        return switch (state) {
            case "running", "claimed" -> "34";
            case "finished" -> "32";
            case "failed", "lost", "timed_out" -> "31";
            case "stopping", "stopped" -> "33";
            default -> "2";
        };
    }

    /** How long a session has gone on, or how long it took. */
    static String age(JsonNode session, Instant now) {
        var from = at(session, "started_at");
        if (from == null) from = at(session, "created_at");
        var until = at(session, "ended_at");
        if (from == null) return "";
        return length(Duration.between(from, until == null ? now : until));
    }

    static String length(Duration length) {
        long seconds = Math.max(0, length.toSeconds());
        if (seconds < 1) return Math.max(0, length.toMillis()) + "ms";
        if (seconds < 60) return seconds + "s";
        if (seconds < 3600) return "%dm%02ds".formatted(seconds / 60, seconds % 60);
        if (seconds < 86_400) return "%dh%02dm".formatted(seconds / 3600, seconds / 60 % 60);
        return "%dd%02dh".formatted(seconds / 86_400, seconds / 3600 % 24);
    }

    private static @Nullable Instant at(JsonNode session, String field) {
        var text = Json.text(session, field);
        return text == null ? null : Instant.parse(text);
    }

    /** What someone else wrote must not steer the terminal of who reads it. */
    static String harmless(@Nullable String text) {
        return text == null ? "" : Harmless.text(text);
    }

    static String text(JsonNode object, String field) {
        return harmless(Json.text(object, field));
    }
}
