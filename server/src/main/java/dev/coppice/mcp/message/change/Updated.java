package dev.coppice.mcp.message.change;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

/** The resource that has changed. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Updated(String uri, @JsonProperty("_meta") @Nullable SubscriptionMeta meta) {}
