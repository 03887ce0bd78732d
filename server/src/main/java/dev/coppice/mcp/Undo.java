package dev.coppice.mcp;

import dev.coppice.web.Method;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Map;

/** Puts back what a deletion has hidden. */
final class Undo implements Tool {
    private static final String PATIENCE = "45s";
    private static final Arguments.Schema TAKES =
            new Arguments.Schema()
                    .text("removal_id", "what delete_session answered with")
                    .flag("rename", false, "true gives sessions whose names were taken others")
                    .required("removal_id");

    @Override
    public ObjectNode shown() {
        return Tool.shown(
                        "undo_deletion",
                        "Put a deleted session back",
                        "Puts back everything that a delete_session has taken, exactly as it was,"
                                + " until the time it has named.")
                .set("annotations", Json.object().put("destructiveHint", false));
    }

    @Override
    public Arguments.Schema takes() {
        return TAKES;
    }

    @Override
    public Asked asks(Arguments arguments) {
        var removal = Tool.segment(arguments.need("removal_id"));
        var rename = arguments.text("rename");
        var queries =
                rename == null
                        ? Map.of("wait", PATIENCE)
                        : Map.of("wait", PATIENCE, "rename", rename);
        return new Asked(Method.POST, "/removals/" + removal + "/undo", queries);
    }

    @Override
    public Answer answer(JsonNode body) {
        var said = new StringBuilder(Json.text(body, "session_name") + " is back");
        var left = body.path("not_reattached");
        if (left.isEmpty()) said.append(" with all that was below it.");
        else said.append(", without those that have found another place: ").append(left);
        return new Answer(true, said.toString(), body);
    }
}
