package dev.coppice.mcp.message.change;

import com.fasterxml.jackson.annotation.JsonProperty;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** The last message of a subscription that the server ends. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record Closed(String resultType, @JsonProperty("_meta") SubscriptionMeta meta) {}
