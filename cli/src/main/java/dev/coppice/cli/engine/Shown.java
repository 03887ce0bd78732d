package dev.coppice.cli.engine;

import dev.coppice.wire.session.HeadlineView;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Formats states, ages and foreign text for a terminal. */
public final class Shown {
    private static final int NAMES_MAX = 8;
    private static final Set<String> FAILURES = Set.of("failed", "timed_out", "lost");

    private static final Pattern EXPONENT = Pattern.compile("-?[0-9.]{1,30}E-?[0-9]{1,2}");

    private Shown() {}

    /** The state of a session as people see it: one that waits for a person asks. */
    public static String stateOf(SessionView session) {
        return isAsking(session) ? "asking" : session.state();
    }

    /** True if it waits for the answer of a person, as far as its headline tells. */
    public static boolean isAsking(SessionView session) {
        var headline = session.headline();
        return headline != null && headline.kind() == HeadlineView.Kind.ASKS;
    }

    /** True for an end of which a person should know. */
    public static boolean isFailure(String state) {
        return FAILURES.contains(state);
    }

    /** Formats a headline; empty for null. */
    public static String headline(@Nullable HeadlineView headline) {
        if (headline == null) return "";
        var text = line(headline.text());
        return switch (headline.kind()) {
            case ASKS -> "asks: " + text;
            case TOLD -> "told: " + text;
            case FAILED, STOPPED, RESULT, SAYS, DOES, PRINTS, WAITS -> text;
        };
    }

    public static String state(String state) {
        return sign(state) + " " + state;
    }

    public static String colouredState(String state) {
        return "\u001b[%sm%s\u001b[0m".formatted(colour(state), state(state));
    }

    /** Every state has its own sign, because colours may be absent or unseen. */
    private static String sign(String state) {
        return switch (state) {
            case "pending", "queued", "hooked", "waiting" -> "○";
            case "running", "claimed" -> "●";
            case "idle" -> "◐";
            case "stopping" -> "◌";
            case "finished" -> "✓";
            case "failed" -> "✗";
            case "stopped" -> "■";
            case "timed_out" -> "⧗";
            case "asking" -> "?";
            case "lost" -> "×";
            case "skipped", "refused", "cancelled", "removed" -> "–";
            default -> "·";
        };
    }

    private static String colour(String state) {
        return switch (state) {
            case "running", "claimed" -> "34";
            case "asking" -> "1;35";
            case "finished" -> "32";
            case "failed", "lost", "timed_out" -> "31";
            case "stopping", "stopped" -> "33";
            default -> "2";
        };
    }

    /** The age of a live session, or the duration of an ended one. */
    public static String age(SessionView session, Instant now) {
        return length(took(session, now));
    }

    /** The time from its start to its end, or until now. */
    public static Duration took(SessionView session, Instant now) {
        var from = session.startedAt() == null ? session.createdAt() : session.startedAt();
        var until = session.endedAt() == null ? now : Instant.parse(session.endedAt());
        return Duration.between(Instant.parse(from), until);
    }

    /** The time since its creation. */
    public static Duration since(SessionView session, Instant now) {
        return Duration.between(Instant.parse(session.createdAt()), now);
    }

    public static String length(Duration length) {
        long seconds = Math.max(0, length.toSeconds());
        if (seconds < 1) return Math.max(0, length.toMillis()) + "ms";
        if (seconds < 60) return seconds + "s";
        if (seconds < 3600) return "%dm%02ds".formatted(seconds / 60, seconds % 60);
        if (seconds < 86_400) return "%dh%02dm".formatted(seconds / 3600, seconds / 60 % 60);
        return "%dd%02dh".formatted(seconds / 86_400, seconds / 3600 % 24);
    }

    /** Foreign text without sequences that control the terminal; empty for null. */
    public static String clean(@Nullable String text) {
        return text == null ? "" : TerminalFilter.plain(text);
    }

    /** The first line of foreign text, with spaces for tabs; empty for null. */
    public static String line(@Nullable String text) {
        var first = clean(text).strip().lines().findFirst().orElse("");
        return first.replace('\t', ' ').stripTrailing();
    }

    /** Lists the first names, and says if there are more. */
    public static String names(List<String> all) {
        var shown = all.subList(0, Math.min(NAMES_MAX, all.size()));
        var names = shown.stream().map(Shown::clean).collect(Collectors.joining(", "));
        return names + (shown.size() < all.size() ? ", …" : "");
    }

    /** The hosts that were not inspected, each with the reason. */
    public static List<String> unseen(List<String> hosts, Map<String, String> failures) {
        return hosts.stream().map(host -> unseen(host, failures.get(host))).toList();
    }

    private static String unseen(String host, @Nullable String why) {
        return why == null
                ? "no runner answered on " + clean(host)
                : "the runner on %s could not look: %s".formatted(clean(host), clean(why));
    }

    /** Formats a value of JSON as text: a small amount as 0.0008, and not as 8.0E-4. */
    public static String value(JsonNode value) {
        if (!value.isValueNode()) return value.toString();
        var text = value.asString();
        // An agent may have written any exponent, and this many zeros fit a line.
        boolean isShort = value.isNumber() && EXPONENT.matcher(text).matches();
        return isShort ? new BigDecimal(text).toPlainString() : text;
    }

    /** Millionths of a dollar as dollars: cents, or all digits of what is less than a cent. */
    public static String dollars(long micros) {
        var dollars = BigDecimal.valueOf(micros, 6);
        boolean isLess = micros != 0 && Math.abs(micros) < 10_000;
        var shown =
                isLess ? dollars.stripTrailingZeros() : dollars.setScale(2, RoundingMode.HALF_UP);
        return "$" + shown.toPlainString();
    }

    public static String size(long bytes) {
        if (bytes < 10_000) return bytes + " bytes";
        if (bytes < 10_000_000) return bytes / 1000 + " kB";
        return bytes < 10_000_000_000L ? bytes / 1_000_000 + " MB" : bytes / 1_000_000_000 + " GB";
    }
}
