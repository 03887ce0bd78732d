package dev.coppice.health;

import dev.coppice.kernel.JsonText;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * The newest events, the last line and the result of a session: its headline is made of them.
 *
 * @param events the last events that its program sent, newest first
 * @param printed the last line of its output; null if it is not known
 * @param result the end of the result of its last run
 */
public record LastWords(List<Sent> events, @Nullable Printed printed, @Nullable String result) {
    public LastWords {
        events = List.copyOf(events);
    }

    /** An event; a long body lacks its end. */
    public record Sent(String type, Instant at, JsonText body) {}

    public record Printed(String line, Instant at) {}
}
