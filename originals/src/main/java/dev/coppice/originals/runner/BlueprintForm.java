package dev.coppice.originals.runner;

import dev.coppice.blueprint.PlaceholderCheck;
import dev.coppice.blueprints.Resolution;
import dev.coppice.wire.Json;
import dev.coppice.wire.fleet.ClaimedRun;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The form in which older runners read a blueprint. */
final class BlueprintForm {
    private static final String ADDRESS = "runner.orchestrator_mcp_url";

    /** The directory into which they download scripts, as seen from the project's. */
    private static final String SCRIPTS = "scripts";

    private BlueprintForm() {}

    static JsonNode of(JsonNode blueprint, String runId) {
        var text =
                Json.write(blueprint)
                        .replace(ClaimedRun.marked(ADDRESS, runId), "${" + ADDRESS + "}")
                        .replace(ClaimedRun.marked(PlaceholderCheck.SCRIPTS, runId), SCRIPTS);
        var form = (ObjectNode) Json.read(text);
        // They download scripts themselves, and take the headers of MCP servers as 'config'.
        form.remove(Resolution.SCRIPTS);
        for (var server : form.path("mcp_servers")) {
            if (server instanceof ObjectNode http && http.has("headers")) {
                http.set("config", http.get("headers"));
            }
        }
        return form;
    }
}
