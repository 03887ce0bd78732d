package dev.coppice.wave;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/**
 * Sessions that are started and awaited together. {@code parent} is the session below which its
 * members start; without one they are roots. At most {@code concurrency} members are busy at once,
 * and at least {@code stagger} lies between two starts. Its members may use its parameters. What it
 * sets for them counts as set by a person if {@code isByPerson}.
 */
public record Wave(
        String id,
        String name,
        @Nullable SessionId parent,
        @Nullable Integer concurrency,
        Duration stagger,
        JsonText parameters,
        boolean isByPerson,
        Instant created) {
    /** A wave that starts nothing itself. */
    public static Wave of(String id, String name, @Nullable SessionId parent, Instant created) {
        return new Wave(
                id, name, parent, null, Duration.ZERO, JsonText.EMPTY_OBJECT, false, created);
    }
}
