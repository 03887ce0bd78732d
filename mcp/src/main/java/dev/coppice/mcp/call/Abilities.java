package dev.coppice.mcp.call;

import tools.jackson.databind.JsonNode;

/** The capabilities that a client declared. Its own text may be long and is not stored. */
public record Abilities(boolean forms, boolean sampling, boolean roots, boolean tasks) {
    public static final Abilities NONE = new Abilities(false, false, false, false);

    public static Abilities of(JsonNode declared) {
        var asking = declared.path("elicitation");
        // A client that opens addresses for its user may still have no forms.
        boolean forms = asking.isObject() && (asking.isEmpty() || asking.has("form"));
        return new Abilities(
                forms,
                declared.path("sampling").isObject(),
                declared.path("roots").isObject(),
                declared.path("extensions").path(Client.TASKS).isObject());
    }

    boolean can(String capability) {
        return switch (capability) {
            case "sampling" -> sampling;
            case "roots" -> roots;
            default -> forms;
        };
    }
}
