package dev.coppice.health;

import dev.coppice.word.Ending;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** A summary of an event. */
public record Glance(
        String type,
        Instant at,
        @Nullable String tool,
        @Nullable Ending ending,
        boolean isQuestion) {}
