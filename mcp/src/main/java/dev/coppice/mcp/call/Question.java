package dev.coppice.mcp.call;

import com.fasterxml.jackson.annotation.JsonProperty;

import dev.coppice.mcp.message.Changes.InputRequest;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

/** A request to a client, which asks its user, its model or itself. */
public record Question(String method, JsonNode params) {
    private static final String FORM = "elicitation/create";

    /** Asks the user to fill in a form. */
    public static Question form(String message, String schema) {
        return new Question(FORM, Json.tree(new Form(message, Json.read(schema))));
    }

    /** The parameters of a form. */
    private record Form(String message, @JsonProperty("requestedSchema") JsonNode schema) {}

    /** The capability that a client must have declared. */
    String capability() {
        return switch (method) {
            case "sampling/createMessage" -> "sampling";
            case "roots/list" -> "roots";
            default -> "elicitation";
        };
    }

    /** True if the answer has the form that the method requires. */
    boolean isAnsweredBy(JsonNode answer) {
        return switch (method) {
            case "sampling/createMessage" -> answer.has("content");
            case "roots/list" -> answer.path("roots").isArray();
            default -> answer.path("action").isString();
        };
    }

    InputRequest shown() {
        return new InputRequest(method, params);
    }
}
