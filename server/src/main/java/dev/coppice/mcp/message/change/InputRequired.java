package dev.coppice.mcp.message.change;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

import java.util.Map;

/** A result that asks for input: the client repeats the request with it. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
public record InputRequired(Map<String, InputRequest> inputRequests, String requestState) {}
