package dev.coppice.usage;

import org.jspecify.annotations.Nullable;

/** The prices of models. */
public interface Prices {
    /** Millionths of a dollar; null for a model without a known price. */
    @Nullable Long micros(String model, TokenCounts tokens);
}
