package dev.coppice.runner.drive.dialect;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The messages of one agent, which come in pieces, and its calls of tools. A message is over when a
 * tool is called or the turn ends.
 */
final class AcpSpeech {
    private final String agent;
    private final Upstream up;
    private final StringBuilder text = new StringBuilder();
    private final Set<String> calls = new HashSet<>();
    private final Map<String, String> titles = new HashMap<>();
    private String last = "";

    AcpSpeech(String agent, Upstream up) {
        this.agent = agent;
        this.up = up;
    }

    /** The last message. */
    String last() {
        return last;
    }

    void chunk(JsonNode content) {
        var part = Json.textIfAny(content, "text");
        if (part != null) text.append(part);
    }

    void end() {
        if (text.isEmpty()) return;
        last = text.toString();
        text.setLength(0);
        up.event(agent, "message", EventFields.message("assistant", last));
    }

    /** A call may come before its input, which then comes with an update. */
    void called(JsonNode call) {
        var id = String.valueOf(Json.textIfAny(call, "toolCallId"));
        var title = Json.textIfAny(call, "title");
        if (call.path("rawInput").isEmpty()) {
            titles.put(id, title == null ? "tool" : title);
        } else {
            tell(id, title == null ? "tool" : title, call.path("rawInput"));
        }
    }

    private void tell(String id, String title, JsonNode input) {
        titles.remove(id);
        if (calls.add(id)) up.event(agent, "pre_tool", EventFields.tool(id, title, input));
    }

    /** Reports a call once it is over. Earlier updates have pieces of its output. */
    void returned(JsonNode update) {
        var id = String.valueOf(Json.textIfAny(update, "toolCallId"));
        var status = String.valueOf(Json.textIfAny(update, "status"));
        boolean isFailed = status.equals("failed");
        boolean isOver = isFailed || status.equals("completed");
        var waiting = titles.get(id);
        if (waiting != null && (isOver || !update.path("rawInput").isEmpty())) {
            var title = Json.textIfAny(update, "title");
            tell(id, title == null ? waiting : title, update.path("rawInput"));
        }
        if (!isOver || !calls.remove(id)) return;
        var output = update.has("rawOutput") ? update.get("rawOutput") : update.path("content");
        up.event(agent, "post_tool", EventFields.returned(id, output, isFailed));
    }
}
