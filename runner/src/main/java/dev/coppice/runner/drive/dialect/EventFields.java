package dev.coppice.runner.drive.dialect;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fields of the events that every program has. */
final class EventFields {
    private EventFields() {}

    static Map<String, ?> message(String role, String text) {
        return Map.of("role", role, "content", List.of(Map.of("type", "text", "text", text)));
    }

    static Map<String, ?> tool(String call, String tool, JsonNode input) {
        return Map.of("tool_use_id", call, "tool_name", tool, "tool_input", input);
    }

    /** Returns the fields of a tool's result. The output of a failure is the error. */
    static Map<String, ?> returned(String call, JsonNode output, boolean failed) {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("tool_use_id", call);
        fields.put("tool_output", output);
        if (failed) fields.put("error", output.isString() ? output.asString() : output.toString());
        return fields;
    }
}
