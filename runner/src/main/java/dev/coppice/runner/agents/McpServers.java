package dev.coppice.runner.agents;

import dev.coppice.runner.drive.Drive;
import dev.coppice.wire.Json;
import dev.coppice.wire.fleet.ClaimedRun;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The MCP servers of an agent, in the form in which agent programs read them from a file. The
 * server {@code coppice} is Coppice itself, for the session of the run and with its token.
 */
public record McpServers(String address, ClaimedRun run) {
    /** The placeholders that only the runner resolves. */
    static final String CONFIG = "runner.mcp_config";

    private static final String ADDRESS = "runner.orchestrator_mcp_url";
    private static final String OURS = "coppice";
    private static final String AUTHORIZATION = "Authorization";

    /** Returns the content of the file; null if the run needs none. */
    public @Nullable String config(Start start) {
        var config = ClaimedRun.marked(CONFIG, run.runId());
        var servers = run.resolvedAgentBlueprint().path("mcp_servers");
        boolean isNamed =
                start.command().stream().anyMatch(word -> word.contains(config))
                        || start.environment().values().stream().anyMatch(v -> v.contains(config));
        if (servers.isEmpty() && !isNamed) return null;
        var all = new LinkedHashMap<String, Object>();
        for (var each : servers.properties()) {
            boolean isOurs = each.getKey().equals(OURS) && each.getValue().isEmpty();
            all.put(each.getKey(), isOurs ? ours() : authorized(each.getValue()));
        }
        if (servers.isEmpty()) all.put(OURS, ours());
        return Json.write(Map.of("mcpServers", all));
    }

    /** Returns the start with the path of the file in place of its placeholder. */
    public Start start(Start start, String file) {
        var environment = new LinkedHashMap<String, String>();
        start.environment().forEach((name, value) -> environment.put(name, with(value, file)));
        environment.put(Drive.MCP_CONFIG, file);
        return new Start(
                start.command().stream().map(word -> with(word, file)).toList(),
                environment,
                start.input(),
                start.polite());
    }

    private String with(String text, String file) {
        return addressed(text.replace(ClaimedRun.marked(CONFIG, run.runId()), file));
    }

    private String addressed(String text) {
        return text.replace(ClaimedRun.marked(ADDRESS, run.runId()), address);
    }

    /** Adds the token of the session to a server that is Coppice under another name. */
    private Object authorized(JsonNode server) {
        var filled = filled(server);
        var url = server.path("url").asString("");
        boolean isCoppice = url.equals(ClaimedRun.marked(ADDRESS, run.runId()));
        if (!isCoppice || filled.path("headers").has(AUTHORIZATION)) return filled;
        var headers = filled.path("headers") instanceof ObjectNode given ? given : Json.object();
        headers.put(AUTHORIZATION, bearer());
        return ((ObjectNode) filled).set("headers", headers);
    }

    private String bearer() {
        return "Bearer " + run.agentToken();
    }

    private Object ours() {
        var headers = new LinkedHashMap<String, String>();
        headers.put(AUTHORIZATION, bearer());
        headers.put("X-Agent-Session-Name", run.sessionName());
        var server = new LinkedHashMap<String, Object>();
        server.put("type", "http");
        server.put("url", address);
        server.put("headers", headers);
        return server;
    }

    private JsonNode filled(JsonNode value) {
        if (value.isString()) return Json.tree(addressed(value.asString()));
        if (value.isArray()) return Json.tree(value.valueStream().map(this::filled).toList());
        if (!value.isObject()) return value;
        var fields = new LinkedHashMap<String, JsonNode>();
        for (var field : value.properties()) fields.put(field.getKey(), filled(field.getValue()));
        return Json.tree(fields);
    }
}
