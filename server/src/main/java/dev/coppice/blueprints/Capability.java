package dev.coppice.blueprints;

import dev.coppice.registry.Fault;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** A part that several blueprints share: instructions, MCP servers, or a script to call. */
public record Capability(String name, JsonNode document) implements RegistryEntry {
    private static final List<String> FIELDS =
            List.of(
                    "name",
                    "description",
                    "type",
                    "text",
                    "script",
                    "mcp_servers",
                    "created_at",
                    "modified_at");

    /** Reads and checks a document; the type is derived if it is absent. */
    public static Capability read(JsonNode document) {
        var name = RegistryEntry.name(document, "name");
        RegistryEntry.checkFields(document, FIELDS);
        RegistryEntry.required(document, "description");
        RegistryEntry.text(document, "text");
        var script = RegistryEntry.text(document, "script");
        var servers = document.path("mcp_servers");
        McpServerTexts.of(servers);
        boolean hasServers = !servers.isEmpty();
        var given = RegistryEntry.text(document, "type");
        var type = given != null ? given : script != null ? "script" : hasServers ? "mcp" : "text";
        if (!List.of("text", "script", "mcp").contains(type)) {
            throw new Fault("type", type, "one of text, script, mcp");
        }
        if (script != null && !type.equals("script")) throw stray(type, "script", script);
        if (hasServers && !type.equals("mcp")) {
            throw stray(type, "mcp_servers", servers.toString());
        }
        return new Capability(name, ((ObjectNode) document.deepCopy()).put("type", type));
    }

    private static Fault stray(String type, String field, String value) {
        return new Fault(field, value, "left out of a capability of type '%s'".formatted(type));
    }

    public @Nullable String text() {
        return Json.text(document, "text");
    }

    public @Nullable String script() {
        return Json.text(document, "script");
    }

    public JsonNode mcpServers() {
        return document.path("mcp_servers");
    }

    @Override
    public JsonNode summary() {
        var summary = (ObjectNode) document.deepCopy();
        summary.remove(List.of("text", "script", "mcp_servers"));
        summary.put("has_script", script() != null);
        summary.put("script_name", script());
        summary.put("has_text", text() != null);
        summary.put("has_mcp", !mcpServers().isEmpty());
        var names = summary.putArray("mcp_server_names");
        mcpServers().propertyNames().forEach(names::add);
        return summary;
    }
}
