package dev.coppice.wire.budget;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.word.BudgetPolicy;

/** The budget of a session and all below it; it does not limit an absent amount. */
public record BudgetRequest(
        @Inline @JsonUnwrapped BudgetAmounts amounts,
        @Field(value = "the policy once it is spent", fallback = "refuse") BudgetPolicy policy) {}
