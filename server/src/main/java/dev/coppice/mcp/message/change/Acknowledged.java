package dev.coppice.mcp.message.change;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The first message of a subscription. */
public record Acknowledged(Wanted notifications, @JsonProperty("_meta") SubscriptionMeta meta) {}
