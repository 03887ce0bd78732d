package dev.coppice.runner.drive.dialect;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.util.HashSet;
import java.util.Set;

/**
 * What one agent says in pieces, and the tools that it calls. A message is over when a tool is
 * called or the turn ends.
 */
final class AcpSpeech {
    private final String agent;
    private final Upstream up;
    private final StringBuilder text = new StringBuilder();
    private final Set<String> calls = new HashSet<>();
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
        var part = Json.text(content, "text");
        if (part != null) text.append(part);
    }

    void end() {
        if (text.isEmpty()) return;
        last = text.toString();
        text.setLength(0);
        up.event(agent, "message", Events.message("assistant", last));
    }

    void called(JsonNode call) {
        var id = String.valueOf(Json.text(call, "toolCallId"));
        if (!calls.add(id)) return;
        var title = Json.text(call, "title");
        up.event(
                agent,
                "pre_tool",
                Events.tool(id, title == null ? "tool" : title, call.path("rawInput")));
    }

    /** A call is told once it is over; what comes before that are pieces of its output. */
    void returned(JsonNode update) {
        var status = String.valueOf(Json.text(update, "status"));
        boolean isFailed = status.equals("failed");
        if (!isFailed && !status.equals("completed")) return;
        var id = String.valueOf(Json.text(update, "toolCallId"));
        if (!calls.remove(id)) return;
        var output = update.has("rawOutput") ? update.get("rawOutput") : update.path("content");
        up.event(agent, "post_tool", Events.returned(id, output, isFailed));
    }
}
