package dev.coppice.mcp.message.change;

import com.fasterxml.jackson.annotation.JsonProperty;

import dev.coppice.mcp.message.Meta;

import tools.jackson.databind.JsonNode;

/** The subscription that a message belongs to. */
public record SubscriptionMeta(@JsonProperty(Meta.PREFIX + "subscriptionId") JsonNode id) {}
