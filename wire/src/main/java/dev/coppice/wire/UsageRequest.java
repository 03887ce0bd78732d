package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;

/** The body of POST /sessions/{id}/usage: what was spent since the last such word. */
public record UsageRequest(
        @Nullable Long tokens,
        @Nullable Long inputTokens,
        @Nullable Long outputTokens,
        @Nullable BigDecimal costUsd) {}
