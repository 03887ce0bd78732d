package dev.coppice.wire.budget;

import dev.coppice.wire.Field;
import dev.coppice.wire.Length;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;

/** What a session and all below it may spend; an absent amount is not limited here. */
public record BudgetRequest(
        @Field(value = "tokens", min = 0, max = BudgetCalls.AMOUNT_MAX) @Nullable Long tokens,
        @Field(value = "dollars", min = 0, max = BudgetCalls.DOLLARS_MAX, example = "2.5")
                @Nullable BigDecimal costUsd,
        @Field(value = "time of its runs together", example = "2h") @Nullable Length wall,
        @Field(value = "runs", min = 0, max = BudgetCalls.AMOUNT_MAX) @Nullable Long runs,
        @Field(value = "sessions, itself included", min = 0, max = BudgetCalls.AMOUNT_MAX)
                @Nullable Long sessions,
        @Field(value = "what happens once it is spent", fallback = "refuse") Policy policy) {}
