package dev.coppice.wire.budget;

import dev.coppice.wire.Field;
import dev.coppice.wire.Length;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;

/** The amounts of a budget; an absent amount is not limited, or not changed. */
public record BudgetAmounts(
        @Field(value = "tokens", min = 0, max = BudgetCalls.AMOUNT_MAX) @Nullable Long tokens,
        @Field(value = "dollars", min = 0, max = BudgetCalls.DOLLARS_MAX, example = "2.5")
                @Nullable BigDecimal costUsd,
        @Field(value = "total time of its runs", example = "2h") @Nullable Length wall,
        @Field(value = "runs", min = 0, max = BudgetCalls.AMOUNT_MAX) @Nullable Long runs,
        @Field(value = "sessions, including itself", min = 0, max = BudgetCalls.AMOUNT_MAX)
                @Nullable Long sessions) {}
