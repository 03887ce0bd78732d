package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

/** A callback as callers see it. */
public record CallbackView(
        String callbackId,
        String sessionId,
        String about,
        @Nullable String childSessionId,
        @Nullable String childRunId,
        @Nullable String joinId,
        @Nullable String message,
        @Nullable String fromSessionId,
        String state,
        String since,
        @Nullable String due,
        @Nullable String carrier,
        @Nullable String reason,
        int tries,
        String createdAt) {}
