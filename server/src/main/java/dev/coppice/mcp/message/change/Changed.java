package dev.coppice.mcp.message.change;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

/** A change without further data. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Changed(@JsonProperty("_meta") @Nullable SubscriptionMeta meta) {}
