package dev.coppice.runner.drive.dialect;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The items of a turn of Codex as events. The app-server and {@code exec} name them and their
 * fields in different styles.
 */
final class CodexItems {
    private static final Set<String> TEXTS = Set.of("agentmessage", "assistantmessage");
    private static final Set<String> NO_TOOLS =
            Set.of("usermessage", "reasoning", "plan", "hookprompt", "todolist");

    private final Upstream up;
    private final Map<String, String> said = new HashMap<>();

    CodexItems(Upstream up) {
        this.up = up;
    }

    /** The last message of an agent. */
    String said(String agent) {
        return said.getOrDefault(agent, "");
    }

    void started(String agent, JsonNode item) {
        var kind = kind(item);
        if (TEXTS.contains(kind) || NO_TOOLS.contains(kind) || kind.equals("error")) return;
        up.event(agent, "pre_tool", EventFields.tool(id(item), tool(item), item));
    }

    void completed(String agent, JsonNode item) {
        var kind = kind(item);
        if (NO_TOOLS.contains(kind)) return;
        if (TEXTS.contains(kind)) {
            var text = String.valueOf(Json.textIfAny(item, "text"));
            said.put(agent, text);
            up.event(agent, "message", EventFields.message("assistant", text));
        } else if (kind.equals("error")) {
            up.event(agent, "program_error", Map.of("error", item.path("message")));
        } else {
            up.event(agent, "post_tool", EventFields.returned(id(item), item, isFailed(item)));
        }
    }

    /** The kind of an item, in one style. */
    private static String kind(JsonNode item) {
        return String.valueOf(Json.textIfAny(item, "type"))
                .replace("_", "")
                .toLowerCase(Locale.ROOT);
    }

    private static String id(JsonNode item) {
        return String.valueOf(Json.textIfAny(item, "id"));
    }

    private static String tool(JsonNode item) {
        var tool = Json.textIfAny(item, "tool");
        var server = Json.textIfAny(item, "server");
        if (tool == null) return String.valueOf(Json.textIfAny(item, "type"));
        return server == null ? tool : server + "." + tool;
    }

    private static boolean isFailed(JsonNode item) {
        boolean isWrong =
                "failed".equals(Json.textIfAny(item, "status")) || item.hasNonNull("error");
        var exit = item.has("exitCode") ? item.get("exitCode") : item.path("exit_code");
        return isWrong || exit.asInt(0) != 0;
    }
}
