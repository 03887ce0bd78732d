package dev.coppice.blueprints;

import dev.coppice.registry.Fault;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks the MCP servers of a blueprint, and finds the texts that may contain placeholders. */
final class McpServerTexts {
    private static final String FIELD = "mcp_servers";
    private static final int SERVERS_MAX = 64;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,60}");
    private static final Set<String> TYPES = Set.of("http", "sse", "stdio");

    private McpServerTexts() {}

    static Map<String, String> of(@Nullable JsonNode servers) {
        var texts = new LinkedHashMap<String, String>();
        if (servers == null || servers.isNull() || servers.isEmpty()) return texts;
        if (!servers.isObject() || servers.size() > SERVERS_MAX) {
            var rule = "an object of at most %d servers by their names".formatted(SERVERS_MAX);
            throw new Fault(FIELD, servers.toString(), rule);
        }
        for (var each : servers.properties()) {
            var place = FIELD + "." + each.getKey();
            if (!NAME.matcher(each.getKey()).matches()) {
                throw new Fault(FIELD, each.getKey(), "named with 1 to 60 of A-Z a-z 0-9 _ -");
            }
            check(place, each.getKey(), each.getValue());
            collect(place, each.getValue(), texts);
        }
        return texts;
    }

    private static void check(String place, String name, JsonNode server) {
        if (server.isObject() && server.has("ref")) {
            RegistryEntry.checkFields(server, List.of("ref", "config"));
            RegistryEntry.name(server, "ref");
            McpServer.checkValues(place + ".config", RegistryEntry.object(server, "config"));
            return;
        }
        boolean isOurs = name.equals("coppice") && server.isObject() && server.isEmpty();
        var type = server.path("type").asString("");
        var address = server.path(type.equals("stdio") ? "command" : "url");
        boolean isWhole = TYPES.contains(type) && address.isString();
        if (!isOurs && !isWhole) {
            throw new Fault(
                    place,
                    server.toString(),
                    "{\"type\": \"http\", \"url\": …, \"headers\": {…}}, {\"type\": \"stdio\","
                            + " \"command\": …}, or {\"ref\": …, \"config\": {…}} for one of the"
                            + " registry; 'coppice' may be {}");
        }
    }

    private static void collect(String place, JsonNode value, Map<String, String> texts) {
        if (value.isString()) texts.put(place, value.asString());
        for (var field : value.properties()) {
            collect(place + "." + field.getKey(), field.getValue(), texts);
        }
        if (!value.isArray()) return;
        for (int i = 0; i < value.size(); i++) {
            collect("%s[%d]".formatted(place, i), value.get(i), texts);
        }
    }
}
