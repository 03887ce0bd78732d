package dev.coppice.view;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.regex.Pattern;

/** Lengths of time as people write them: 500ms, 5s, 2m, 3h, 7d. */
public final class Lengths {
    public static final String RULE = "a time such as 500ms, 5s, 2m, 3h or 7d";
    private static final Pattern SHAPE = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)?");

    private Lengths() {}

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
}
