package dev.coppice.wire;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.regex.Pattern;

/** A length of time, written as 500ms, 5s, 2m, 3h or 7d; a bare number means seconds. */
public record Length(Duration value) {
    public static final String RULE = "a time such as 500ms, 5s, 2m, 3h or 7d";
    private static final long AMOUNT_MAX = 999_999_999;
    private static final Pattern SHAPE = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)?");

    public static @Nullable Duration read(String text) {
        var match = SHAPE.matcher(text);
        if (!match.matches()) return null;
        long amount = Long.parseLong(match.group(1));
        var unit = match.group(2) == null ? "s" : match.group(2);
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    @JsonCreator
    public static Length of(String text) {
        var value = read(text);
        if (value == null)
            throw new IllegalArgumentException("'%s' is not %s".formatted(text, RULE));
        return new Length(value);
    }

    public static Length ofSeconds(long seconds) {
        return new Length(Duration.ofSeconds(seconds));
    }

    /**
     * Returns seconds, milliseconds if they are no whole seconds, or a larger unit if the seconds
     * have more digits than can be read.
     */
    @Override
    @JsonValue
    public String toString() {
        long seconds = value.toSeconds();
        if (value.toMillis() % 1000 != 0) return value.toMillis() + "ms";
        if (seconds <= AMOUNT_MAX) return seconds + "s";
        if (seconds % 86_400 == 0) return seconds / 86_400 + "d";
        return seconds % 3600 == 0 ? seconds / 3600 + "h" : seconds / 60 + "m";
    }
}
