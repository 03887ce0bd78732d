package dev.coppice.cli;

import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/** Formats states, ages and foreign text for a terminal. */
final class Shown {
    private Shown() {}

    static String state(String state, boolean coloured) {
        return coloured
                ? "\u001b[%sm%s %s\u001b[0m".formatted(colour(state), sign(state), state)
                : sign(state) + " " + state;
    }

    /** Every state has its own sign, because colours may be absent or unseen. */
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

    /** The age of a live session, or the duration of an ended one. */
    static String age(SessionView session, Instant now) {
        var from = session.startedAt() == null ? session.createdAt() : session.startedAt();
        var until = session.endedAt() == null ? now : Instant.parse(session.endedAt());
        return length(Duration.between(Instant.parse(from), until));
    }

    static String length(Duration length) {
        long seconds = Math.max(0, length.toSeconds());
        if (seconds < 1) return Math.max(0, length.toMillis()) + "ms";
        if (seconds < 60) return seconds + "s";
        if (seconds < 3600) return "%dm%02ds".formatted(seconds / 60, seconds % 60);
        if (seconds < 86_400) return "%dh%02dm".formatted(seconds / 3600, seconds / 60 % 60);
        return "%dd%02dh".formatted(seconds / 86_400, seconds / 3600 % 24);
    }

    /** Foreign text without sequences that control the terminal; empty for null. */
    static String clean(@Nullable String text) {
        return text == null ? "" : TerminalFilter.text(text);
    }
}
