package dev.coppice.wire.event;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A report of a program about a use of a tool: that it begins, or what it returned.
 *
 * @param call the id of the use, which both reports have; null if the program gives none
 * @param tool the name of the tool; null if only the report of the beginning has it
 */
public record ToolReport(
        @Nullable String call,
        @Nullable String tool,
        boolean isReturned,
        boolean isFailed,
        String output) {
    private static final Set<String> RETURNS =
            Set.of(
                    "post_tool",
                    "post_tool_failure",
                    "PostToolUse",
                    "PostToolUseFailure",
                    "AfterTool",
                    "tool_result",
                    "tool_end");

    /** The fields that may hold the id of a use. */
    private static final List<String> CALLS =
            List.of("tool_use_id", "tool_call_id", "correlation_id");

    private static final List<String> OUTPUTS =
            List.of("tool_response", "tool_output", "output", "result");

    /** Within an output: the fields with its text. */
    private static final List<String> TEXTS =
            List.of("stdout", "stderr", "output", "llmContent", "content", "text", "error");

    /** Reads an event; empty if it reports no use of a tool. */
    public static Optional<ToolReport> of(String type, JsonNode details) {
        var payload = Saying.payload(details);
        var tool = Json.textIfAny(payload, "tool_name");
        var call = first(payload, CALLS);
        boolean isReturned = RETURNS.contains(type) || payload.has("tool_response");
        if (tool == null && !(isReturned && call != null)) return Optional.empty();
        var error = payload.path("error");
        boolean isFailed =
                type.endsWith("ailure")
                        || error.isString()
                        || error.isObject()
                        || payload.path("is_error").asBoolean(false)
                        || payload.path("tool_response").path("is_error").asBoolean(false);
        return Optional.of(
                new ToolReport(
                        call, tool, isReturned, isFailed, isReturned ? output(payload) : ""));
    }

    private static String output(JsonNode payload) {
        for (var field : OUTPUTS) {
            var text = text(payload.path(field));
            if (!text.isBlank()) return text;
        }
        return text(payload.path("error"));
    }

    private static String text(JsonNode output) {
        if (output.isMissingNode() || output.isNull()) return "";
        if (output.isValueNode()) return output.asString();
        if (output.isArray()) {
            var text = Saying.content(output);
            return text.isBlank() && !output.isEmpty() ? output.toString() : text;
        }
        var text = new StringBuilder();
        for (var field : TEXTS) {
            var part = output.path(field);
            var one =
                    part.isArray() ? Saying.content(part) : part.isString() ? part.asString() : "";
            if (one.isEmpty()) continue;
            if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') text.append('\n');
            text.append(one);
        }
        var file = output.path("file").path("content");
        if (text.isEmpty() && file.isString()) return file.asString();
        return text.isEmpty() && !output.has("stdout") ? output.toString() : text.toString();
    }

    private static @Nullable String first(JsonNode payload, List<String> fields) {
        for (var field : fields) {
            var text = Json.textIfAny(payload, field);
            if (text != null) return text;
        }
        return null;
    }
}
