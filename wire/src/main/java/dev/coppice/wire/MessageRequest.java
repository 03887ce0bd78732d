package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

/** The body of POST /sessions/{id}/messages. */
public record MessageRequest(
        @Nullable String text, @Nullable String whenBusy, @Nullable String deadline) {}
