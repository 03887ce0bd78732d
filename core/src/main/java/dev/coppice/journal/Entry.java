package dev.coppice.journal;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** One numbered fact. */
public record Entry(long number, Instant at, SessionId session, @Nullable RunId run, Fact fact) {}
