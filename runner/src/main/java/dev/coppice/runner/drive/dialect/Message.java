package dev.coppice.runner.drive.dialect;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * A message to the session: a word for its turn, or the answer to a question. {@code from} is the
 * session of the agent that sent it; null if a person did.
 */
public record Message(
        String id, String text, @Nullable String from, boolean isSteering, Instant created) {}
