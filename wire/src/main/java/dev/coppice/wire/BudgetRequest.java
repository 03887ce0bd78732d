package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;

/** The body of PUT /sessions/{id}/budget, and {@code budget} in POST /runs. */
public record BudgetRequest(
        @Nullable Long tokens,
        @Nullable BigDecimal costUsd,
        @Nullable String wall,
        @Nullable Long runs,
        @Nullable Long sessions,
        @Nullable String policy) {}
