package dev.coppice.journal;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** One numbered fact. {@code sentAt} is its sender's time; null if no hook has sent it. */
public record Entry(
        long number,
        Instant at,
        SessionId session,
        @Nullable RunId run,
        Fact fact,
        @Nullable Instant sentAt) {}
